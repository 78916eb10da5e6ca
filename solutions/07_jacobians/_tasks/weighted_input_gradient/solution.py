import torch


def weighted_input_gradient(layer: torch.nn.Module, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Compute a weighted sum of the rows of a layer's Jacobian, in one backward pass.

    Args:
        layer: a module that maps shape (1, in) to shape (1, out).
        x: the input, of shape (1, in); left unchanged.
        v: a weight for each output, of shape (1, out).

    Returns:
        v J, of shape (1, in).
    """
    ### BEGIN SOLUTION
    leaf = x.clone().requires_grad_()
    return torch.autograd.grad(layer(leaf), leaf, grad_outputs=v)[0]
    ### END SOLUTION
