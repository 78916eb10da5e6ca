from collections.abc import Callable

import torch
from torch import nn


def unit_variance(layers: list[nn.Linear], activation: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> None:
    """Rescale linear layers in place, in order, so that each output on x has the standard deviation 1.

    Args:
        layers: linear layers, each applied to the activation of the one before.
        activation: the function between two layers.
        x: a batch of shape (samples, features).
    """
    ### BEGIN SOLUTION
    with torch.no_grad():  # in-place changes of a recorded parameter raise an error
        for layer in layers:
            if layer.bias is not None:
                layer.bias.zero_()
            layer.weight /= layer(x).std(correction=0)
            x = activation(layer(x))  # the next layer's input, from the rescaled weight
    ### END SOLUTION
