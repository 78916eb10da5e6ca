import torch


def total_and_direct(x: torch.Tensor, i: int) -> tuple[float, float]:
    """Return the total and the direct derivative of y = x[i] * sum(x) with respect to element i.

    Args:
        x: a leaf of shape (n,) that requires a gradient; leave its `.grad` unchanged.
        i: the index of the element; a negative index counts from the end.

    Returns:
        The derivative over all paths from the element, and that over the path through the factor alone.
    """
    ### BEGIN SOLUTION
    factor = x[i]  # written once: the factor in y and the tensor asked about are one object
    y = factor * x.sum()
    of_x, of_factor = torch.autograd.grad(y, (x, factor))
    return of_x[i], of_factor
    ### END SOLUTION
