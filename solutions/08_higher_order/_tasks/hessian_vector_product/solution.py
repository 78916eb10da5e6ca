from collections.abc import Callable

import torch


def hessian_vector_product(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Multiply the Hessian of f at x by v, without building the Hessian.

    Args:
        f: a function of a tensor like x, with a result of shape ().
        x: the point at which f is differentiated, of any shape; left unchanged.
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
