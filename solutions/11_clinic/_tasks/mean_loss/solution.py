from collections.abc import Callable, Iterable

import torch


def mean_loss(model: torch.nn.Module, loss_fn: Callable, batches: Iterable[tuple]) -> torch.Tensor:
    """Compute the mean of the losses of several batches.

    Args:
        model: any model; leave it unchanged.
        loss_fn: from the model's output and y to a tensor without axes.
        batches: pairs (X, y), at least one; perhaps a generator.

    Returns:
        The mean, without axes, detached.
    """
    # Delete the next line, and repair what stands below it: the program as given.
    ### BEGIN SOLUTION
    total, count = 0.0, 0
    for X, y in batches:
        total += loss_fn(model(X), y).detach()
        count += 1
    return total / count
    ### END SOLUTION
    total, count = 0.0, 0
    for X, y in batches:
        total = total + loss_fn(model(X), y)
        count += 1
    return (total / count).detach()
