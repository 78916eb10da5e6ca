import torch


def conv_weight_gradient(
    x: torch.Tensor, upstream: torch.Tensor, kernel_size: int | tuple[int, int], stride: int = 1, padding: int = 0
) -> torch.Tensor:
    """Compute the gradient of a convolution's weight, without autograd.

    Args:
        x: the input, of shape (batch, in, H, W); leave it unchanged.
        upstream: the gradient of the output, of shape (batch, out, rows, columns).
        kernel_size: an int or (kh, kw).
        stride: how far the kernel moves, in both directions.
        padding: zeros on all four sides.

    Returns:
        The gradient of the weight, of shape (out, in, kh, kw).
    """
    ### BEGIN SOLUTION
    high, wide = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    padded = torch.nn.functional.pad(x, (padding, padding, padding, padding))
    rows, columns = upstream.shape[2:]
    gradient = x.new_zeros(upstream.shape[1], x.shape[1], high, wide)
    for i in range(high):
        for j in range(wide):
            # The pixels that entry (i, j) of the kernel met, one for each entry of the output.
            met = padded[:, :, i : i + rows * stride : stride, j : j + columns * stride : stride]
            gradient[:, :, i, j] = torch.einsum("borc,birc->oi", upstream, met)
    return gradient
    ### END SOLUTION
