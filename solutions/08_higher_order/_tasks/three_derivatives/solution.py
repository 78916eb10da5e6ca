from collections.abc import Callable

import torch


def three_derivatives(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Compute the first three derivatives of a function of one number.

    Args:
        f: a function of a tensor of shape (), with a result of shape ().
        x: the point at which f is differentiated, of shape (); left unchanged.

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
