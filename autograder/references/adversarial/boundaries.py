"""One hidden activation raised, and how far the boundary of a linear score is."""

from __future__ import annotations

import itertools

import torch
from torch import nn

from autograder.references import numeric
from autograder.references.cnn.inner import in_double, leaf_of
from autograder.references.reference import Reference
from autograder.references.replay import Replay, program_reference


def activation_slope(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int) -> torch.Tensor:
    """The gradient of the neuron, before any ReLU on it, with respect to the input."""
    leaf = leaf_of(x)
    return torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)[0]


def raised(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int, epsilon: float) -> torch.Tensor:
    """One sign step up."""
    return x + epsilon * activation_slope(layer1, layer2, x, k).sign()


def _raised_numeric(
    replay: Replay, layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int, epsilon: float
) -> torch.Tensor:
    first, second = in_double(layer1), in_double(layer2)
    way = numeric.gradient(lambda moved: second(first(moved).clamp(min=0))[0, k], x.double()).numpy()
    return x + epsilon * torch.from_numpy((way > 0).astype(float) - (way < 0)).to(x.dtype)


def least_change(w: torch.Tensor, b: float, x: torch.Tensor) -> torch.Tensor:
    """The score's size, divided by how fast it can fall."""
    return (x @ w + b).abs() / w.abs().sum()


def _least_change_by_search(w: torch.Tensor, b: float, x: torch.Tensor) -> torch.Tensor:
    """Along every direction whose entries are 1 or -1, how far the score's zero is; the nearest."""
    found = []
    for row in x.double():
        score = sum(float(a) * float(c) for a, c in zip(row, w, strict=True)) + b
        speeds = (
            sum(s * float(c) for s, c in zip(way, w, strict=True)) for way in itertools.product((1, -1), repeat=len(w))
        )
        found.append(min(abs(score / speed) for speed in speeds if speed))
    return torch.tensor(found, dtype=x.dtype)


raise_activation = program_reference(
    "raise_activation", raised, "autograd in float64", _raised_numeric, "central differences of the neuron"
)
smallest_epsilon = Reference(
    least_change, "closed form", _least_change_by_search, "a search among all corners of the box"
)
