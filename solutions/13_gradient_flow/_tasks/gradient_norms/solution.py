import torch
from torch import nn


def gradient_norms(model: nn.Module, loss: torch.Tensor) -> dict[str, float]:
    """Compute the norm of the gradient of each parameter of a model.

    Args:
        model: any module; at least one of its parameters requires a gradient.
        loss: a tensor with one element, computed with the model.

    Returns:
        A dict from the name of each parameter to the Euclidean norm of its gradient, 0.0 if it has none.
    """
    ### BEGIN SOLUTION
    norms = {name: 0.0 for name, parameter in model.named_parameters()}
    asked = {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}
    gradients = torch.autograd.grad(loss, list(asked.values()), allow_unused=True)  # fills no .grad
    for name, gradient in zip(asked, gradients, strict=True):
        if gradient is not None:
            norms[name] = torch.linalg.vector_norm(gradient).item()
    return norms
    ### END SOLUTION
