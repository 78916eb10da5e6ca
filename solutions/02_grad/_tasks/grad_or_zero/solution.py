import torch


def grad_or_zero(output: torch.Tensor, inputs: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    """Compute gradients, with zeros for inputs that the output does not depend on.

    Args:
        output: a tensor with one element that requires a gradient.
        inputs: tensors that require a gradient, whether the output was computed from them or not.

    Returns:
        For each input the gradient of `output` with respect to it, or zeros like the input.
    """
    ### BEGIN SOLUTION
    return torch.autograd.grad(output, inputs, materialize_grads=True)
    ### END SOLUTION
