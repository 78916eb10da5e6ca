import torch


def gradient_of_vector(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    """Compute the gradient that reaches x when `upstream` has reached y.

    Args:
        y: an output of any shape.
        x: a tensor from which y was computed.
        upstream: like y, a weight for each of its elements.

    Returns:
        A tensor like x: the sum over y's elements of weight times gradient.
    """
    ### BEGIN SOLUTION
    (gradient,) = torch.autograd.grad(y, x, grad_outputs=upstream)
    return gradient
    ### END SOLUTION
