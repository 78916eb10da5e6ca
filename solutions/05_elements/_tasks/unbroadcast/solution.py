import torch


def unbroadcast(gradient: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """Compute the backward of broadcasting a tensor of shape `shape` to the shape of `gradient`.

    Args:
        gradient: the upstream gradient, of the shape after the broadcast.
        shape: the shape before the broadcast.

    Returns:
        The gradient of the tensor that was broadcast, of shape `shape` and gradient's dtype.
    """
    ### BEGIN SOLUTION
    while gradient.dim() > len(shape):
        gradient = gradient.sum(0)  # an axis that broadcasting put in front
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis, keepdim=True)  # an axis that it stretched, or 1 in both
    return gradient
    ### END SOLUTION
