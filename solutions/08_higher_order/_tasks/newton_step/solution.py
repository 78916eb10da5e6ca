from collections.abc import Callable

import torch


def newton_step(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Take one step of Newton's method from x.

    Args:
        f: a function of a tensor of shape (n,), with a result of shape ().
        x: the start, of shape (n,); left unchanged.

    Returns:
        The new x, of shape (n,), detached.
    """
    ### BEGIN SOLUTION
    leaf = x.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    rows = [torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in gradient]
    return (x - torch.linalg.solve(torch.stack(rows), gradient)).detach()
    ### END SOLUTION
