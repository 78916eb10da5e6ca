"""The backward of broadcasting and of indexing: both add up what forward has copied."""

from __future__ import annotations

import numpy
import torch

from autograder.references.replay import Replay, program_reference


def _unbroadcast(gradient: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    small = torch.zeros(shape, dtype=gradient.dtype, requires_grad=True)
    return torch.autograd.grad(small.expand(gradient.shape), small, gradient)[0].clone()


def _unbroadcast_place_by_place(replay: Replay, gradient: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    large = gradient.numpy()
    small = numpy.zeros(shape, dtype=large.dtype)
    for place in numpy.ndindex(large.shape):
        own = place[len(place) - len(shape) :]
        small[tuple(min(at, size - 1) for at, size in zip(own, shape, strict=True))] += large[place]
    return torch.from_numpy(small)


def _gather_gradient(upstream: torch.Tensor, index: torch.Tensor, length: int) -> torch.Tensor:
    x = torch.zeros(length, dtype=upstream.dtype, requires_grad=True)
    return torch.autograd.grad(x[index], x, upstream)[0]


def _gather_gradient_by_numpy(replay: Replay, upstream: torch.Tensor, index: torch.Tensor, length: int) -> torch.Tensor:
    gradient = numpy.zeros(length, dtype=upstream.numpy().dtype)
    numpy.add.at(gradient, index.numpy(), upstream.numpy())
    return torch.from_numpy(gradient)


unbroadcast = program_reference(
    "unbroadcast",
    _unbroadcast,
    "autograd of expand",
    _unbroadcast_place_by_place,
    "numpy, place by place",
)
gather_gradient = program_reference(
    "gather_gradient",
    _gather_gradient,
    "autograd of an index",
    _gather_gradient_by_numpy,
    "numpy.add.at",
)
