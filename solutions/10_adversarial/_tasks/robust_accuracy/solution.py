from collections.abc import Callable

import torch


def robust_accuracy(
    model: torch.nn.Module,
    X: torch.Tensor,
    y: torch.Tensor,
    attack: Callable[[torch.nn.Module, torch.Tensor, torch.Tensor], torch.Tensor],
) -> float:
    """Compute the fraction of attacked images that the model classifies correctly.

    Args:
        model: from images to logits.
        X: images of shape (batch, C, H, W); stay as they are.
        y: their labels, int64, of shape (batch,).
        attack: from model, images and labels to attacked images; called once.

    Returns:
        A number from 0 to 1.
    """
    ### BEGIN SOLUTION
    attacked = attack(model, X, y)
    with torch.no_grad():
        read = model(attacked).argmax(dim=1)
    return (read == y).double().mean().item()
    ### END SOLUTION
