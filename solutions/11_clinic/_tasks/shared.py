"""Shared draws and references of exercise 11."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy
import torch

from autograder.probes.programs import Program

Array = numpy.ndarray
AUTOGRAD = "autograd in float64"


class Carried(torch.autograd.Function):
    """Carries a value and its gradients, computed in NumPy: `apply(formula, *tensors)`.

    `formula` maps arrays to the value and to a list with a function for each, from the upstream gradient to the
    gradient of that tensor.
    """

    @staticmethod
    def forward(ctx: Any, formula: Callable[..., tuple[Any, list[Callable]]], *tensors: torch.Tensor) -> torch.Tensor:
        value, ctx.gradients = formula(*(one.detach().numpy() for one in tensors))
        return torch.as_tensor(value)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return None, *(torch.as_tensor(gradient(upstream.detach().numpy())) for gradient in ctx.gradients)


Draw = Callable[[Random], tuple[Program]]


def seed(source: Random) -> str:
    """A program's line that makes a model's parameters the same in every run."""
    return f"torch.default_generator.manual_seed({source.randint(0, 10**6)})\n"


BEGIN = "Delete the line `raise NotImplementedError`, then check and repair the program below it."
