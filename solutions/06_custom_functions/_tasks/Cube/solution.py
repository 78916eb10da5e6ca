import torch


class Cube(torch.autograd.Function):
    """x cubed, twice differentiable.

    `Cube.apply(x)` takes a tensor of any shape and returns one like it.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        """Return x cubed, and keep what backward needs."""
        ### BEGIN SOLUTION
        ctx.save_for_backward(x)
        return x**3
        ### END SOLUTION

    @staticmethod
    def backward(ctx, upstream: torch.Tensor) -> torch.Tensor:
        """Compute the gradient of x from that of the result."""
        ### BEGIN SOLUTION
        (x,) = ctx.saved_tensors
        return upstream * 3 * x**2
        ### END SOLUTION
