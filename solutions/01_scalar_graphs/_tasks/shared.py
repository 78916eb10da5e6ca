"""What several tasks of exercise 01 use."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import torch

from autograder.checks.draws.ends import unit
from autograder.checks.draws.numbers import toy_numbers


def leaves(*numbers: float) -> list[torch.Tensor]:
    """Make a leaf in float64 of each number."""
    return [torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in numbers]


def partials_by_autograd(
    scale_u: float, scale_b: float, scale_a: float, side: int = 1, besides: int = 0
) -> Callable[..., dict]:
    """Partials of a = scale_a * relu(side * v) + besides * v, v = scale_u * u + scale_b * b, u = x * w."""

    def partials(x: float, w: float, b: float) -> dict[str, float]:
        x, w, b = leaves(x, w, b)
        u = x * w
        v = scale_u * u + scale_b * b
        a = scale_a * torch.relu(side * v) + besides * v
        return {name: one.item() for name, one in zip("xwbuv", torch.autograd.grad(a, (x, w, b, u, v)), strict=True)}

    return partials


def partials_exactly(scale_u: int, scale_b: int, scale_a: int, side: int = 1, besides: int = 0) -> Callable[..., dict]:
    """The same in closed form, in exact rational numbers."""

    def partials(x: float, w: float, b: float) -> dict[str, float]:
        x, w, b = map(Fraction, (x, w, b))
        is_open = side * (scale_u * x * w + scale_b * b) > 0
        d_a_v = Fraction((scale_a * side if is_open else 0) + besides)
        d_a_u = d_a_v * scale_u
        exact = {"x": d_a_u * w, "w": d_a_u * x, "b": d_a_v * scale_b, "u": d_a_u, "v": d_a_v}
        return {name: float(value) for name, value in exact.items()}

    return partials


def gate_open(scale_u: float, scale_b: float) -> Callable[[Random], tuple[float, float, float]]:
    """x, w, b with scale_u * x * w + scale_b * b well above 0."""
    return lambda source: toy_numbers(source, lambda x, w, b: scale_u * x * w + scale_b * b > 0.5 * unit())


def gate_shut(scale_u: float, scale_b: float) -> Callable[[Random], tuple[float, float, float]]:
    """x, w, b with scale_u * x * w + scale_b * b well below 0."""
    return lambda source: toy_numbers(source, lambda x, w, b: scale_u * x * w + scale_b * b < -0.5 * unit())


TOY = [(source, target, None) for source, target in ("xu", "wu", "uv", "bv", "va")]
"""The toy graph's edges, as `draw` takes them."""
