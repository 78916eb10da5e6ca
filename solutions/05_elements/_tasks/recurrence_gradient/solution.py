import torch


def recurrence_gradient(x0: float, n: int) -> list[float]:
    """Return the derivatives of t[n] with respect to t[0], ..., t[n], for t[k+1] = sin(t[k]) + t[k] * t[0].

    Args:
        x0: t[0].
        n: how many steps, 0 or more.

    Returns:
        n + 1 numbers in float64: entry 0 is the total derivative, the others hold t[0] fixed.
    """
    ### BEGIN SOLUTION
    t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
    for _ in range(n):
        t.append(torch.sin(t[-1]) + t[-1] * t[0])
    return [partial.item() for partial in torch.autograd.grad(t[n], t)]
    ### END SOLUTION
