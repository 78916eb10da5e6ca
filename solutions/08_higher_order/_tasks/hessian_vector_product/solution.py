from collections.abc import Callable

import torch


def hessian_vector_product(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """The Hessian of f at x times v, without the Hessian.

    Args:
        f: from a tensor like x to a tensor of shape ().
        x: where f is differentiated, of any shape; stays as it is.
        v: of the shape of x.

    Returns:
        H v, of the shape of x; zeros for a linear f.
    """
    ### BEGIN SOLUTION
    leaf = x.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    if not gradient.requires_grad:
        return torch.zeros_like(x)
    return torch.autograd.grad(gradient, leaf, grad_outputs=v, materialize_grads=True)[0]
    ### END SOLUTION
