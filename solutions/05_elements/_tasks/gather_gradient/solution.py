import torch


def gather_gradient(upstream: torch.Tensor, index: torch.Tensor, length: int) -> torch.Tensor:
    """Compute the backward of y = x[index] for an x of shape (length,).

    Args:
        upstream: the gradient of y, of shape (k,).
        index: int64, of shape (k,), with entries from 0 to length - 1.
        length: how many elements x has.

    Returns:
        The gradient of x, of shape (length,) and upstream's dtype.
    """
    ### BEGIN SOLUTION
    return upstream.new_zeros(length).index_add(0, index, upstream)
    ### END SOLUTION
