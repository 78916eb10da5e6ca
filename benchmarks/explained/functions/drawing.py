"""Typical inputs: seeded, float64."""

from __future__ import annotations

import torch
from torch import Tensor

_source = torch.Generator().manual_seed(0)


def between(low: float, high: float, *shape: int) -> Tensor:
    """Draw numbers of three decimals from a range."""
    uniform = torch.rand(shape, generator=_source, dtype=torch.float64)
    return (low + (high - low) * uniform).mul(1000).round().div(1000)


def around_zero(*shape: int) -> Tensor:
    """Draw numbers between -1.5 and 1.5."""
    return between(-1.5, 1.5, *shape)
