"""The recurrence t[k+1] = sin(t[k]) + t[k] * t[0], its last element differentiated by each."""

from __future__ import annotations

import math

import torch

from autograder.references.replay import Replay, program_reference


def _recurrence_gradient(x0: float, n: int) -> list[float]:
    t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
    for _ in range(n):
        t.append(torch.sin(t[-1]) + t[-1] * t[0])
    return [partial.item() for partial in torch.autograd.grad(t[n], t)]


def _recurrence_gradient_by_hand(replay: Replay, x0: float, n: int) -> list[float]:
    """Products along the chain, from the end; the total goes along with the recurrence, from the start."""
    value, total, slopes = x0, 1.0, []
    for _ in range(n):
        slopes.append(math.cos(value) + x0)
        total = slopes[-1] * total + value
        value = math.sin(value) + value * x0
    return [total] + [math.prod(slopes[k:]) for k in range(1, n + 1)]


recurrence_gradient = program_reference(
    "recurrence_gradient",
    _recurrence_gradient,
    "autograd in float64",
    _recurrence_gradient_by_hand,
    "products of local derivatives in plain floats",
    second_error=1e-12,
)
