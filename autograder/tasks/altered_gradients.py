"""Mistakes in the gradients that come back through an answer, predicted from the task's published solution.

The solution stays as it is, and what passes back through it is changed on the way: turned round, lost, doubled, halved,
or, for one argument of a `torch.autograd.Function`, turned round or lost. So every task has them, whatever else its
programs do with the gradients: add them to others, keep them, differentiate them once more.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import torch

from autograder.diagnosis.hypothesis import Mistake

Factors = dict[int | None, float]
"""What the gradients of arguments are multiplied by, by index; under None those of the result."""
TURNED, LOST, MISSING, SQUARED, IGNORED = -1.0, 0.0, math.inf, -math.inf, math.nan
"""Factors; MISSING passes None on, SQUARED what arrives times itself, and IGNORED ones in its place."""
OF_RESULTS = (
    (
        "sign",
        "The gradients that pass back through the result have the right sizes and the wrong signs. Look for a minus.",
        TURNED,
    ),
    ("always zero", "The gradients that pass back through the result are all 0, or there are none.", LOST),
    (
        "a constant factor",
        "The gradients that pass back through the result are twice as large as the right gradients.",
        2.0,
    ),
    (
        "a constant factor",
        "The gradients that pass back through the result are half as large as the right gradients.",
        0.5,
    ),
    (
        "upstream gradient ignored",
        "This is the result for an upstream gradient of ones. The upstream gradient that arrives is a factor too. "
        "{read the upstream gradient}",
        IGNORED,
    ),
    (
        "upstream gradient counted twice",
        "The upstream gradient was multiplied in twice. {read the upstream gradient}",
        SQUARED,
    ),
)
NONE_FROM_A_FUNCTION = "No gradient passes back through the result: `backward` returns None."
NONE_FROM_A_COPY = (
    "No gradient passes back through the result: its graph does not lead to the tensor that was handed in. A copy of "
    "the numbers, a new leaf, `no_grad` and a missing `create_graph` all cut it off."
)
OF_ONE_ARGUMENT = (
    ("sign of one gradient", "The gradient of `{}` has the right size and the wrong sign.", TURNED),
    ("one gradient missing", "No gradient is returned for `{}`, and the others are right.", MISSING),
    ("one gradient missing", "The returned gradient for `{}` is 0, and the others are right.", LOST),
)
"""Name, sentence and factor."""


class _Scaled(torch.autograd.Function):  # type: ignore[misc]  # mypy does not read torch's types
    """The identity, whose gradient is multiplied by a factor."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, factor: float) -> torch.Tensor:
        ctx.factor = factor
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor | None, None]:
        if ctx.factor == MISSING:
            return None, None
        if ctx.factor == SQUARED:
            return upstream * upstream, None
        return (torch.ones_like(upstream) if math.isnan(ctx.factor) else upstream * ctx.factor), None


class Altered:
    """A function, or a `torch.autograd.Function`, with other gradients."""

    def __init__(self, right: Any, factors: Factors) -> None:
        self._right, self._factors = right, factors

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call it, with the gradients of its arguments and its result changed."""
        changed = [_with_factor(one, self._factors.get(index)) for index, one in enumerate(arguments)]
        return _with_factor(getattr(self._right, "apply", self._right)(*changed, **named), self._factors.get(None))

    apply = __call__


def _with_factor(value: Any, factor: float | None) -> Any:
    if factor is None:
        return value
    if isinstance(value, torch.Tensor) and value.requires_grad and value.is_floating_point():
        return _Scaled.apply(value, factor)
    if type(value) in (list, tuple):
        return type(value)(_with_factor(one, factor) for one in value)
    if type(value) is dict:
        return {key: _with_factor(one, factor) for key, one in value.items()}
    return value


def altered_gradients(right: Any, answer: Callable[[Any], Callable[..., Any]]) -> Iterator[Mistake]:
    """Yield the mistakes of a task.

    Args:
        right: what its published solution defines.
        answer: from an implementation to a function from a case's inputs to the answer.
    """
    for name, sentence, factor in OF_RESULTS:
        yield Mistake(name, sentence).made_by(answer(Altered(right, {None: factor})))
    none = NONE_FROM_A_FUNCTION if isinstance(right, type) else NONE_FROM_A_COPY
    yield Mistake("always zero", none).made_by(answer(Altered(right, {None: MISSING})))
    if isinstance(right, type) and (forward := getattr(right, "forward", None)) is not None:
        names = [one for one in inspect.signature(forward).parameters if one != "ctx"]
        for index, name in enumerate(names) if len(names) > 1 else ():
            for what, sentence, factor in OF_ONE_ARGUMENT:
                yield Mistake(what, sentence.format(name)).made_by(answer(Altered(right, {index: factor})))
