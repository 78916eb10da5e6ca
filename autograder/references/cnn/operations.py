"""The backward of a convolution, for its weight, and of a max pooling."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

from autograder.references.replay import Replay, program_reference


def pair_of(kernel_size: int | tuple[int, int]) -> tuple[int, int]:
    """Height and width."""
    return (kernel_size, kernel_size) if isinstance(kernel_size, int) else tuple(kernel_size)


def _conv_weight_gradient(
    x: torch.Tensor, upstream: torch.Tensor, kernel_size: int | tuple[int, int], stride: int = 1, padding: int = 0
) -> torch.Tensor:
    high, wide = pair_of(kernel_size)
    windows = functional.unfold(x, (high, wide), padding=padding, stride=stride)  # (batch, in * kh * kw, places)
    found = torch.einsum("bop,bip->oi", upstream.flatten(2), windows)
    return found.reshape(upstream.shape[1], x.shape[1], high, wide)


def _conv_autograd(
    replay: Replay,
    x: torch.Tensor,
    upstream: torch.Tensor,
    kernel_size: int | tuple[int, int],
    stride: int = 1,
    padding: int = 0,
) -> torch.Tensor:
    """Autograd, which the task forbids: what was counted is taken back."""
    shape = (upstream.shape[1], x.shape[1], *pair_of(kernel_size))
    weight = torch.zeros(shape, dtype=x.dtype, requires_grad=True)
    output = functional.conv2d(x, weight, stride=stride, padding=padding)
    (found,) = torch.autograd.grad(output, weight, upstream)
    replay.names["passes"].clear()
    replay.names["run"].counts.clear()
    return found


def _max_pool_gradient(x: torch.Tensor, upstream: torch.Tensor, size: int) -> torch.Tensor:
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(functional.max_pool2d(leaf, size), leaf, upstream)[0]


def _max_pool_loops(replay: Replay, x: torch.Tensor, upstream: torch.Tensor, size: int) -> torch.Tensor:
    pixels, found = x.numpy(), np.zeros(x.shape, x.numpy().dtype)
    for b, c, i, j in np.ndindex(*upstream.shape):
        window = pixels[b, c, i * size : (i + 1) * size, j * size : (j + 1) * size]
        row, column = np.unravel_index(np.argmax(window), window.shape)  # argmax: the first in reading order
        found[b, c, i * size + row, j * size + column] = upstream[b, c, i, j].item()
    return torch.from_numpy(found)


conv_weight_gradient = program_reference(
    "conv_weight_gradient",
    _conv_weight_gradient,
    "a product of unfolded windows and the upstream gradient",
    _conv_autograd,
    "autograd in float64",
)
max_pool_gradient = program_reference(
    "max_pool_gradient",
    _max_pool_gradient,
    "autograd through torch's own max pooling",
    _max_pool_loops,
    "a loop over windows in numpy",
)
