import torch


def max_pool_gradient(x: torch.Tensor, upstream: torch.Tensor, size: int) -> torch.Tensor:
    """Compute the gradient of the input of a max pooling whose windows do not overlap.

    Args:
        x: the input, of shape (batch, channels, H, W); stays as it is.
        upstream: the gradient of the output, of shape (batch, channels, H // size, W // size).
        size: height and width of a window.

    Returns:
        The gradient of x, in its shape; of equal pixels the first in reading order gets it.
    """
    ### BEGIN SOLUTION
    _, places = torch.nn.functional.max_pool2d(x, size, return_indices=True)  # counted along each flattened map
    gradient = torch.zeros_like(x).flatten(2)
    gradient.scatter_(2, places.flatten(2), upstream.flatten(2))
    return gradient.reshape(x.shape)
    ### END SOLUTION
