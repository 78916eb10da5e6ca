from collections.abc import Callable

import torch
from torch import nn


def unit_variance(layers: list[nn.Linear], activation: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> None:
    """Rescale linear layers in place, in order, until each output on x has the standard deviation 1.

    Args:
        layers: linear layers, each applied to the activation of the one before.
        activation: stands between two layers.
        x: a batch of shape (samples, features).
    """
    ### BEGIN SOLUTION
    with torch.no_grad():  # a parameter may not be changed in place while its history is recorded
        for layer in layers:
            if layer.bias is not None:
                layer.bias.zero_()
            layer.weight /= layer(x).std(correction=0)
            x = activation(layer(x))  # what the next layer gets, from the weight as it is now
    ### END SOLUTION
