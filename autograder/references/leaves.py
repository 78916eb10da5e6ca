"""Copies to differentiate: a new leaf, a model in float64."""

from __future__ import annotations

import copy

import torch
from torch import nn


def leaf_of(x: torch.Tensor) -> torch.Tensor:
    """Return a new leaf with the numbers of x that requires a gradient."""
    return x.detach().clone().requires_grad_()


def in_double(model: nn.Module) -> nn.Module:
    """Return a copy of the model in float64, for finite differences."""
    return copy.deepcopy(model).double()
