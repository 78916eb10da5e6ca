import torch


def keeps_grad(tensors: dict[str, torch.Tensor]) -> dict[str, bool]:
    """Predict for each tensor whether a backward pass through it fills its `.grad`.

    Args:
        tensors: names and tensors of any kind; they stay as they are.

    Returns:
        For each name True or False.
    """
    ### BEGIN SOLUTION
    found = {}
    for name, tensor in tensors.items():
        has_a_reason = tensor.is_leaf or tensor.retains_grad
        found[name] = tensor.requires_grad and has_a_reason
    return found
    ### END SOLUTION
