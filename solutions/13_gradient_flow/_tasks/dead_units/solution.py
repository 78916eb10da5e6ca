import torch
from torch import nn


def dead_units(model: nn.Module, X: torch.Tensor) -> dict[str, torch.Tensor]:
    """Find the units of a model's ReLUs that no sample opens.

    Args:
        model: contains nn.ReLU modules at any depth, each of which runs once.
        X: a batch.

    Returns:
        A dict from the name of each nn.ReLU to a bool tensor with one entry per unit: True if it is inactive for every
        sample.
    """
    ### BEGIN SOLUTION
    dead = {}

    def noting(name):
        def note(module, args, output):
            dead[name] = (output == 0).all(dim=0)  # now, because a later layer may overwrite the output

        return note

    relus = {name: module for name, module in model.named_modules() if isinstance(module, nn.ReLU)}
    handles = [module.register_forward_hook(noting(name)) for name, module in relus.items()]
    try:
        with torch.no_grad():
            model(X)
    finally:
        for handle in handles:
            handle.remove()
    return dead
    ### END SOLUTION
