from collections.abc import Callable

import torch


def three_derivatives(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The first three derivatives of a function of one number.

    Args:
        f: from a tensor of shape () to a tensor of shape ().
        x: where f is differentiated, of shape (); stays as it is.

    Returns:
        The first, second and third derivative at x, each of shape ().
    """
    ### BEGIN SOLUTION
    leaf = x.clone().requires_grad_()
    value, found = f(leaf), []
    for _ in range(3):
        if value.requires_grad:
            (value,) = torch.autograd.grad(value, leaf, create_graph=True, materialize_grads=True)
        else:
            value = torch.zeros_like(x)
        found.append(value)
    return tuple(found)
    ### END SOLUTION
