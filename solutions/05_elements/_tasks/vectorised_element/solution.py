import torch


def vectorised_element(x: torch.Tensor, w: torch.Tensor, i: int) -> float:
    """Return the derivative of sum(x * w) ** 2 with respect to element i of x.

    Args:
        x: shape (n,), with or without requires_grad; leave it and its `.grad` unchanged.
        w: the weights, shape (n,).
        i: which element; negative ones count from the end.

    Returns:
        One number.
    """
    ### BEGIN SOLUTION
    leaf = x.detach().requires_grad_()  # another tensor with the same numbers, and a leaf in any case
    y = torch.sum(leaf * w) ** 2
    (gradient,) = torch.autograd.grad(y, leaf)
    return gradient[i]
    ### END SOLUTION
