from collections.abc import Callable

import torch


def directional_derivative(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Compute how fast f(x) changes as x moves with the velocity v, by forward mode.

    Args:
        f: a function of one tensor.
        x: the point at which f is differentiated, of any shape; left unchanged.
        v: of the shape of x.

    Returns:
        J v, of the shape of f(x).
    """
    ### BEGIN SOLUTION
    _, derivative = torch.func.jvp(f, (x,), (v,))
    return derivative
    ### END SOLUTION
