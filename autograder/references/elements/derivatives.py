"""Derivatives with respect to one element: of a leaf, of an intermediate tensor, within one tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.references.numeric import gradient
from autograder.references.replay import Replay, program_reference

Function = Callable[[torch.Tensor], torch.Tensor]


def _total_and_direct(x: torch.Tensor, i: int) -> list[float]:
    factor = x[i]
    of_x, of_factor = torch.autograd.grad(factor * x.sum(), (x, factor))
    return [of_x[i].item(), of_factor.item()]


def _total_and_direct_numeric(replay: Replay, x: torch.Tensor, i: int) -> list[float]:
    x = x.detach().double()
    total = gradient(lambda moved: moved[i] * moved.sum(), x)[i]
    direct = gradient(lambda factor: factor * x.sum(), x[i])
    return [total.item(), direct.item()]


def _vectorised_element(x: torch.Tensor, w: torch.Tensor, i: int) -> float:
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad((leaf * w).sum() ** 2, leaf)[0][i].item()


def _vectorised_element_numeric(replay: Replay, x: torch.Tensor, w: torch.Tensor, i: int) -> float:
    x, w = x.detach().double(), w.detach().double()
    return gradient(lambda moved: (moved * w).sum() ** 2, x)[i].item()


def _intermediate_element(f: Function, g: Function, x: torch.Tensor, i: int) -> float:
    h = f(x).detach().clone().requires_grad_()
    return torch.autograd.grad(g(h), h)[0][i].item()


def _intermediate_element_numeric(replay: Replay, f: Function, g: Function, x: torch.Tensor, i: int) -> float:
    return gradient(g, f(x).detach())[i].item()


def _same_tensor(x: torch.Tensor) -> tuple[torch.Tensor, float]:
    t0 = 2 * x
    t1 = t0**2
    (d,) = torch.autograd.grad(t1, t0, retain_graph=True)
    return torch.stack([t0, t1]), d.item()


class _Doubled(torch.autograd.Function):
    """[2x, (2x)**2] as one operation, its backward by hand."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.number = x.item()
        return torch.tensor([2 * ctx.number, 4 * ctx.number**2], dtype=x.dtype)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
        return 2 * upstream[0] + 8 * ctx.number * upstream[1]


def _same_tensor_by_hand(replay: Replay, x: torch.Tensor) -> tuple[torch.Tensor, float]:
    return _Doubled.apply(x), 4 * x.item()


total_and_direct = program_reference(
    "total_and_direct",
    _total_and_direct,
    "autograd in float64",
    _total_and_direct_numeric,
    "central differences over the tensor, and over the factor alone",
)
vectorised_element = program_reference(
    "vectorised_element",
    _vectorised_element,
    "autograd in float64",
    _vectorised_element_numeric,
    "central differences",
)
intermediate_element = program_reference(
    "intermediate_element",
    _intermediate_element,
    "autograd in float64, the graph cut at h",
    _intermediate_element_numeric,
    "central differences of g at h",
)
same_tensor = program_reference(
    "same_tensor",
    _same_tensor,
    "autograd in float64",
    _same_tensor_by_hand,
    "one operation whose derivatives are written by hand",
)
