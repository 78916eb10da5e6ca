import torch


class StableSoftplus(torch.autograd.Function):
    """ln(1 + exp(x)) without overflow, twice differentiable.

    `StableSoftplus.apply(x)` takes a float64 tensor of any shape and returns one like it.
    """

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        """Return the value, and keep what backward needs."""
        ### BEGIN SOLUTION
        ctx.save_for_backward(x)
        return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))
        ### END SOLUTION

    @staticmethod
    def backward(ctx, upstream: torch.Tensor) -> torch.Tensor:
        """Compute the gradient of x from that of the result."""
        ### BEGIN SOLUTION
        (x,) = ctx.saved_tensors
        return upstream * torch.sigmoid(x)  # autograd knows a stable derivative of this
        ### END SOLUTION
