from collections.abc import Callable

import torch


def largest_gain(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, steps: int) -> float:
    """The largest singular value of a Jacobian, by power iteration.

    Args:
        f: from a tensor with one axis to another.
        x: where it is differentiated.
        steps: of the iteration, each with one product from either side.

    Returns:
        The largest length that J v can have for a v of length 1.
    """
    ### BEGIN SOLUTION
    gain, v = 0.0, torch.randn_like(x)
    for _ in range(steps):
        v = v / v.norm()
        _, u = torch.func.jvp(f, (x,), (v,))
        gain = u.norm().item()
        if gain == 0.0:  # a random v is never orthogonal to all rows but where all are 0
            break
        _, pull = torch.func.vjp(f, x)
        (v,) = pull(u)
    return gain
    ### END SOLUTION
