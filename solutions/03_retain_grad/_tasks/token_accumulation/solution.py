import torch
from torch import nn
from torch.nn import functional as F


def token_accumulation(
    model: nn.Module, batches: list[tuple[torch.Tensor, torch.Tensor]], ignore_index: int = -100
) -> list[torch.Tensor]:
    """Compute the gradients of one cross entropy over all batches, batch by batch.

    Args:
        model: from X to logits of the shape (batch, length, classes); treats each sample by itself.
        batches: pairs of X and targets of the shape (batch, length).
        ignore_index: the target that does not count.

    Returns:
        A gradient for each of model.parameters(), in their order.
    """
    ### BEGIN SOLUTION
    counted = sum((targets != ignore_index).sum() for _, targets in batches)
    model.zero_grad()
    for X, targets in batches:
        scores = model(X).flatten(0, 1)  # cross_entropy wants the classes on the second axis
        loss = F.cross_entropy(scores, targets.flatten(), ignore_index=ignore_index, reduction="sum")
        (loss / counted).backward()
    return [parameter.grad for parameter in model.parameters()]
    ### END SOLUTION
