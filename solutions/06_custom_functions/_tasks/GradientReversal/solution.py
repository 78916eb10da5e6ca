import torch


class GradientReversal(torch.autograd.Function):
    """x itself, with its gradient reversed and scaled.

    `GradientReversal.apply(x, strength)` takes a tensor of any shape and a float, and returns a tensor
    like x.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor, strength: float) -> torch.Tensor:
        """Return x as it is, and keep what backward needs."""
        ### BEGIN SOLUTION
        ctx.strength = strength
        return x.view_as(x)
        ### END SOLUTION

    @staticmethod
    def backward(ctx, upstream: torch.Tensor) -> tuple[torch.Tensor, None]:
        """Return the reversed gradient of x, and None for the strength."""
        ### BEGIN SOLUTION
        return -ctx.strength * upstream, None
        ### END SOLUTION
