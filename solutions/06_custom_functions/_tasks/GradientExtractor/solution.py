import torch


class GradientExtractor(torch.autograd.Function):
    """One element of a vector.

    `GradientExtractor.apply(x, index)` takes a tensor of shape (n,) and an int from -n to n - 1, and returns
    a tensor of shape ().
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, index: int) -> torch.Tensor:
        """Return the element, and keep what backward needs."""
        ### BEGIN SOLUTION
        ctx.index, ctx.length = index, len(x)
        return x[index].clone()
        ### END SOLUTION

    @staticmethod
    def backward(ctx, upstream: torch.Tensor) -> tuple[torch.Tensor, None]:
        """Return the gradient of x, and None for the index."""
        ### BEGIN SOLUTION
        gradient = upstream.new_zeros(ctx.length)
        gradient[ctx.index] = upstream
        return gradient, None
        ### END SOLUTION
