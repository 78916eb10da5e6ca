import torch


class MatMul(torch.autograd.Function):
    """The matrix product, batched and broadcast.

    `MatMul.apply(A, B)` takes tensors of shapes (..., n, k) and (..., k, m) and returns one of shape
    (..., n, m).
    """

    @staticmethod
    def forward(ctx, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        """Return the product, and keep what backward needs."""
        ### BEGIN SOLUTION
        ctx.save_for_backward(A, B)
        return A @ B
        ### END SOLUTION

    @staticmethod
    def backward(ctx, upstream: torch.Tensor) -> tuple[torch.Tensor | None, torch.Tensor | None]:
        """Return the gradients of A and B, with None for a gradient that is not needed."""
        ### BEGIN SOLUTION
        A, B = ctx.saved_tensors
        of_A = of_B = None
        if ctx.needs_input_grad[0]:
            of_A = (upstream @ B.mT).sum_to_size(A.shape)
        if ctx.needs_input_grad[1]:
            of_B = (A.mT @ upstream).sum_to_size(B.shape)
        return of_A, of_B
        ### END SOLUTION
