import torch
from torch import nn


def micro_batches(model: nn.Module, loss_fn, X: torch.Tensor, y: torch.Tensor, parts: int) -> list[torch.Tensor]:
    """Compute the full batch's gradients part by part.

    Args:
        model: treats each sample by itself.
        loss_fn: a mean over samples, of the model's output and the targets.
        X: N samples along the first axis.
        y: their N targets.
        parts: from 1 to N; the model gets at most N / parts samples at once, rounded up.

    Returns:
        A gradient for each of model.parameters(), in their order.
    """
    ### BEGIN SOLUTION
    model.zero_grad()
    for some, targets in zip(X.tensor_split(parts), y.tensor_split(parts), strict=True):
        share = len(some) / len(X)
        loss = share * loss_fn(model(some), targets)
        loss.backward()
    return [parameter.grad for parameter in model.parameters()]
    ### END SOLUTION
