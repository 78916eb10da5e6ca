"""Mistakes of Cube and StableSoftplus."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.custom_functions.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED, function, named
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.nans import NanMistake
from autograder.references.custom_functions import shown_by

CUT_OFF = (
    "second derivative cut off",
    "The first derivative is right, and what `backward` computes with has lost its connection to `x`. See lesson 06, "
    "“A backward that is differentiated”.",
)

_cube = named("Cube")


def _power(factor: float, exponent: int, **kept: bool) -> type:
    return function(lambda x: x**3, lambda g, x: factor * g * x**exponent, **kept)


CUBE = (
    _cube(*UPSTREAM_IGNORED, function(lambda x: x**3, lambda g, x: 3 * x**2)),
    _cube(*CUT_OFF, _power(3, 2, cut=True)),
    _cube(*KEPT_ON_CLASS, _power(3, 2, on_class=True)),
    _cube("the 3 forgotten", "The power went down by one. What becomes of the old exponent?", _power(1, 2)),
    _cube("exponent not lowered", "The factor is there. What happens to the exponent?", _power(3, 3)),
    _cube("slope of the square", "This is the derivative of x squared.", _power(2, 1)),
    _cube(
        "backward cubes again",
        "`backward` gives the value of the cube times the upstream gradient. A slope is wanted.",
        _power(1, 3),
    ),
    _cube(
        "upstream gradient cubed",
        "The upstream gradient was treated like an input. It is a factor, and only that.",
        function(lambda x: x**3, lambda g, x: 3 * g**2 * torch.ones_like(x)),
    ),
    _cube("square instead of cube", "The value is x squared.", function(lambda x: x**2, lambda g, x: 3 * g * x**2)),
    *RAISED,
)

_softplus = named("StableSoftplus")


def _overflow(name: str, sentence: str, implementation: type) -> Mistake:
    return NanMistake(name, sentence, shown_by("StableSoftplus", implementation))


def _stable(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.softplus(x)


def _with_slope(slope: Callable[[torch.Tensor], torch.Tensor], **kept: bool) -> type:
    return function(_stable, lambda g, x: g * slope(x), **kept)


def _step(x: torch.Tensor) -> torch.Tensor:
    return (x > 0) * torch.ones_like(x)


def _halves_by_size(x: torch.Tensor) -> torch.Tensor:
    small = torch.exp(-x.abs())
    return torch.where(x >= 0, 1 / (1 + small), small / (1 + small))


def _halves_by_where(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x >= 0, 1 / (1 + torch.exp(-x)), torch.exp(x) / (1 + torch.exp(x)))


def _one_from_30_on(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x > 30, 1.0, torch.exp(x) / (1 + torch.exp(x)))


def _with_value(value: Callable[[torch.Tensor], torch.Tensor]) -> type:
    return function(value, lambda g, x: g * torch.sigmoid(x))


SOFTPLUS = (
    _softplus(
        "the value overflows",
        "The value is infinite for large `x`: exp(x) was computed before its logarithm was taken. Which part of x can "
        "be taken out first?",
        _with_value(lambda x: torch.log(1 + torch.exp(x))),
    ),
    _softplus(
        "the value overflows below",
        "The value is infinite for large negative `x`, where exp(-x) is too large. Which exponent is never positive?",
        _with_value(lambda x: x + torch.log1p(torch.exp(-x))),
    ),
    _softplus(
        "the value is clamped",
        "The value stops growing. A clamp keeps exp from overflowing, and loses x.",
        _with_value(lambda x: torch.log1p(torch.exp(x.clamp(max=50)))),
    ),
    _softplus(
        "relu instead of softplus",
        "This is relu. The two differ near 0, where softplus is ln 2.",
        _with_value(lambda x: x.clamp(min=0)),
    ),
    _overflow(
        "the slope overflows",
        "The slope is nan for large `x`: exp(x) stands above and below the line. Divide both by it, or look for a "
        "torch function that has this shape.",
        _with_slope(lambda x: torch.exp(x) / (1 + torch.exp(x))),
    ),
    _overflow(
        "the slope's slope overflows",
        "Value and slope are right. Autograd differentiates the slope's formula, and at large negative `x` that gives "
        "nan: exp(-x) is infinite there.",
        _with_slope(lambda x: 1 / (1 + torch.exp(-x))),
    ),
    _softplus(
        "a slope with a corner",
        "The slope was made from two halves that meet at 0. Look at the slope, and its own slope, at 0.",
        _with_slope(lambda x: torch.where(x > 0, 1 - 0.5 * torch.exp(-x.abs()), 0.5 * torch.exp(-x.abs()))),
    ),
    _softplus(
        "a slope made of |x|",
        "Value and slope are right. The slope's formula leads through the size of `x`, which has a corner at 0, and "
        "autograd differentiates each term alone. See lesson 06, “A stable formula”.",
        _with_slope(_halves_by_size),
    ),
    *(
        _overflow(
            "both branches of where",
            "`torch.where` picks the right number on the way forward. On the way back it sends 0 into the branch "
            "that was not picked, and 0 times infinity is nan. See lesson 06, “What people get wrong, and why”.",
            _with_slope(slope),
        )
        for slope in (_one_from_30_on, _halves_by_where)
    ),
    _softplus("slope of relu", "The slope jumps from 0 to 1. Softplus has a gentle one.", _with_slope(_step)),
    _softplus(
        "slope turned round",
        "The slope falls from 1 to 0 while softplus grows ever faster.",
        _with_slope(lambda x: torch.sigmoid(-x)),
    ),
    _softplus(*UPSTREAM_IGNORED, function(_stable, lambda g, x: torch.sigmoid(x))),
    _softplus(*CUT_OFF, _with_slope(torch.sigmoid, cut=True)),
    _softplus(*KEPT_ON_CLASS, _with_slope(torch.sigmoid, on_class=True)),
    *RAISED,
)
