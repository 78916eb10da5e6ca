import torch


def same_tensor(x: torch.Tensor) -> tuple[torch.Tensor, float]:
    """Return t0 and t1 in one tensor, and the derivative of t1 with respect to t0.

    Args:
        x: a leaf of shape () that requires a gradient; leave its `.grad` unchanged.

    Returns:
        t = [2 * x, (2 * x) ** 2] of shape (2,), connected to x, and the derivative of t's element 1 with
        respect to its element 0.
    """
    ### BEGIN SOLUTION
    t0 = 2 * x
    t1 = t0**2
    (d,) = torch.autograd.grad(t1, t0, retain_graph=True)  # the caller goes on to use t
    return torch.stack([t0, t1]), d
    ### END SOLUTION
