import torch


class MaxWithIndex(torch.autograd.Function):
    """The largest element of a vector, and the index of its first occurrence.

    `MaxWithIndex.apply(x)` takes a tensor of shape (n,) and returns a tensor of shape () and an int64
    tensor of shape ().
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the maximum and its index, and keep what backward needs."""
        ### BEGIN SOLUTION
        index = x.argmax()  # of several, the first
        ctx.save_for_backward(index)
        ctx.mark_non_differentiable(index)
        ctx.length = len(x)
        return x[index].clone(), index
        ### END SOLUTION

    @staticmethod
    def backward(ctx, upstream: torch.Tensor, upstream_of_index: torch.Tensor) -> torch.Tensor:
        """Return the gradient of x; the upstream gradient of the index means nothing."""
        ### BEGIN SOLUTION
        (index,) = ctx.saved_tensors
        gradient = upstream.new_zeros(ctx.length)
        gradient[index] = upstream
        return gradient
        ### END SOLUTION
