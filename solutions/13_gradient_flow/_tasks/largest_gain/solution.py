from collections.abc import Callable

import torch


def largest_gain(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, steps: int) -> float:
    """Compute the largest singular value of a Jacobian by power iteration.

    Args:
        f: a function from a tensor with one axis to another such tensor.
        x: the point at which to differentiate f.
        steps: the number of iterations, each with one JVP and one VJP.

    Returns:
        The largest length that J v can have for a v of length 1.
    """
    ### BEGIN SOLUTION
    gain, v = 0.0, torch.randn_like(x)
    for _ in range(steps):
        v = v / v.norm()
        _, u = torch.func.jvp(f, (x,), (v,))
        gain = u.norm().item()
        if gain == 0.0:  # a random v is orthogonal to all rows only if they are all 0
            break
        _, pull = torch.func.vjp(f, x)
        (v,) = pull(u)
    return gain
    ### END SOLUTION
