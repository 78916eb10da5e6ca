"""Mistakes of StraightThroughSign and GradientReversal, whose gradients are defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis.custom_functions.functions import (
    KEPT_ON_CLASS,
    RAISED,
    UPSTREAM_IGNORED,
    function,
    named,
)

DEFINED = "See lesson 06, “Gradients defined, not derived”."
_sign = named("StraightThroughSign")


def _through(lets: Callable[[torch.Tensor, torch.Tensor], Any], **kept: bool) -> type:
    return function(torch.sign, lambda g, x: torch.where(lets(g, x), g, 0.0), **kept)


STRAIGHT_THROUGH_SIGN = (
    _sign(
        "the true derivative",
        f"The gradient is 0 everywhere: that is the sign's own derivative. Another one is defined here. {DEFINED}",
        _through(lambda g, x: torch.zeros_like(x, dtype=torch.bool)),
    ),
    _sign(
        "window forgotten",
        "The gradient passes everywhere. Outside of -1 to 1 it is to be 0.",
        _through(lambda g, x: torch.ones_like(x, dtype=torch.bool)),
    ),
    _sign(
        "edges left out",
        "At -1 and 1 exactly the gradient is to pass.",
        _through(lambda g, x: x.abs() < 1),
    ),
    _sign(
        "window open below",
        "The gradient is stopped above 1. What about the other side?",
        _through(lambda g, x: x <= 1),
    ),
    _sign(
        "window turned round",
        "The gradient passes outside of the window and is stopped inside.",
        _through(lambda g, x: x.abs() > 1),
    ),
    _sign(
        "window on the upstream gradient",
        "Whether the gradient passes was decided by the gradient. It depends on `x`.",
        _through(lambda g, x: g.abs() <= 1),
    ),
    _sign(
        "upstream gradient clamped",
        "The upstream gradient itself was held between -1 and 1. It is `x` that decides, and where the gradient "
        "passes it passes as it is.",
        function(torch.sign, lambda g, x: g.clamp(-1, 1)),
    ),
    _sign(
        "gradient of the absolute value",
        "The gradient carries the sign of `x`. Inside of the window it passes as it is.",
        function(torch.sign, lambda g, x: torch.where(x.abs() <= 1, g * x.sign(), 0.0)),
    ),
    _sign(
        "clamp forward",
        "The value is `x` between -1 and 1. Forward, the sign is wanted; only backward is that of a clamp.",
        function(lambda x: x.clamp(-1, 1), lambda g, x: torch.where(x.abs() <= 1, g, 0.0)),
    ),
    _sign(
        "sign of 0",
        "At 0 exactly the value is to be 0.",
        function(lambda x: torch.where(x >= 0, 1.0, -1.0).to(x.dtype), lambda g, x: torch.where(x.abs() <= 1, g, 0.0)),
    ),
    _sign(
        UPSTREAM_IGNORED[0],
        UPSTREAM_IGNORED[1],
        function(torch.sign, lambda g, x: torch.where(x.abs() <= 1, 1.0, 0.0).to(x.dtype)),
    ),
    _sign(*KEPT_ON_CLASS, _through(lambda g, x: x.abs() <= 1, on_class=True)),
    *RAISED,
)

_reversal = named("GradientReversal")


def _identity(backward: Callable[..., Any], **kept: bool) -> type:
    return function(lambda x, strength: x.clone(), lambda g, x, strength: (backward(g, strength), None), **kept)


GRADIENT_REVERSAL = (
    _reversal(
        "upstream changed in place",
        "The upstream gradient was changed in place. Others hold the same tensor: the neighbour in a sum, or the "
        "caller. See lesson 04, “Shared storage”.",
        _identity(lambda g, strength: g.mul_(-strength)),
    ),
    _reversal(
        "upstream changed in place",
        "The upstream gradient was changed in place. Others hold the same tensor: the neighbour in a sum, or the "
        "caller. See lesson 04, “Shared storage”.",
        _identity(lambda g, strength: g.neg_() * strength),
    ),
    _reversal("sign kept", "The strength is right, the gradient is not reversed.", _identity(lambda g, s: s * g)),
    _reversal("strength forgotten", "The gradient is reversed. How strongly?", _identity(lambda g, s: -g)),
    _reversal(
        "nothing reversed",
        f"The gradient passes unchanged, so `backward` has no effect. {DEFINED}",
        _identity(lambda g, s: g.clone()),
    ),
    _reversal(
        "times the value",
        "The gradient is multiplied by `x`. The strength and the upstream gradient are all that it depends on.",
        function(lambda x, s: x.clone(), lambda g, x, s: (-s * x * g, None)),
    ),
    _reversal(
        "reversed forward too",
        "The value changed. Forward, `x` passes as it is; only its gradient is reversed.",
        function(lambda x, s: -s * x, lambda g, x, s: (-s * g, None)),
    ),
    _reversal(UPSTREAM_IGNORED[0], UPSTREAM_IGNORED[1], _identity(lambda g, s: -s * torch.ones_like(g))),
    _reversal(KEPT_ON_CLASS[0], KEPT_ON_CLASS[1], _identity(lambda g, s: -s * g, on_class=True)),
    *RAISED,
)
