"""Derivatives by autograd, and without it: by a polynomial through points of a line; mistakes of several tasks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import numpy as np
import torch
from numpy.polynomial import Chebyshev

from autograder.diagnosis import Mistake
from autograder.references.leaves import leaf_of
from autograder.references.replay import Replay

Function = Callable[[torch.Tensor], torch.Tensor]


def next_derivative(y: torch.Tensor, leaf: torch.Tensor, upstream: torch.Tensor | None = None) -> torch.Tensor:
    """The gradient of y with its graph; zeros where y does not depend on the leaf."""
    if not y.requires_grad:
        return torch.zeros_like(leaf)
    return torch.autograd.grad(y, leaf, upstream, create_graph=True, materialize_grads=True)[0]


def gradient_of(f: Function, x: torch.Tensor) -> torch.Tensor:
    """The gradient of a function with one number as its result."""
    leaf = leaf_of(x)
    return next_derivative(f(leaf), leaf).detach()


def hessian_of(f: Function, x: torch.Tensor) -> torch.Tensor:
    """The Hessian at x of one axis: (n, n)."""
    leaf = leaf_of(x)
    return torch.stack([next_derivative(one, leaf).detach() for one in next_derivative(f(leaf), leaf)])


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


def widened(replay: Replay, f: Function, x: torch.Tensor) -> Function:
    """A program's function of x in float64, for its own tensors may be of x's dtype."""
    function: Function = f if x.dtype == torch.float64 else replay.in_float64(f)
    return function


def interpolated_gradient(f: Function, x: torch.Tensor) -> torch.Tensor:
    """The gradient of f at x, in float64."""
    wide = x.detach().double()
    return torch.stack([derivative(lambda t, e=e: f(wide + t * e)) for e in one_hots(wide)]).reshape(x.shape)


def _curvature(f: Function, x: torch.Tensor, direction: torch.Tensor) -> torch.Tensor:
    return derivative(lambda t: f(x + t * direction), 2)


def interpolated_product(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """H v in float64: e H v is a quarter of the curvature along e + v less that along e - v."""
    wide, length = x.detach().double(), float(v.double().norm()) or 1.0
    unit = v.double() / length
    each = [(_curvature(f, wide, e + unit) - _curvature(f, wide, e - unit)) / 4 for e in one_hots(wide)]
    return length * torch.stack(each).reshape(x.shape)


THROUGH_POINTS = "a polynomial through nine points on each line"
DTYPE = "dtype=torch.float64"


NOTHING_LEFT = Mistake(
    "nothing left to differentiate",
    "You differentiated something whose graph does not contain x: it does not depend on x, so its "
    "derivative is 0. `grad` raises there unless you tell it otherwise.",
    raises="RuntimeError: .* appears? to not have been used in the graph",
)
