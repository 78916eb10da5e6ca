import torch


def named_gradients(output: torch.Tensor, named: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Compute gradients by name, in one backward pass.

    Args:
        output: a tensor with one element that requires a gradient.
        named: tensors that require a gradient, by name; it is left unchanged.

    Returns:
        The gradient of `output` with respect to each tensor, by name; tensors that the output does not
        depend on are left out.
    """
    ### BEGIN SOLUTION
    gradients = torch.autograd.grad(output, named, allow_unused=True)  # a dict for a dict
    return {name: gradient for name, gradient in gradients.items() if gradient is not None}
    ### END SOLUTION
