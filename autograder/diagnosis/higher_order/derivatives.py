"""Mistakes of three_derivatives."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.higher_order.shared import NOTHING_LEFT, marked, mistakes_of, without_graph
from autograder.references.higher_order.by_autograd import three_derivatives as right

TASK = "three_derivatives"
_mistake = mistakes_of(TASK)
Function = Callable[[torch.Tensor], torch.Tensor]
Three = tuple[torch.Tensor, ...]


def _from(combine: Callable[..., Three]) -> Callable[[Function, torch.Tensor], Three]:
    """The answer as made from the three right numbers."""
    return lambda f, x: combine(*right(f, x))


def _value_first(f: Function, x: torch.Tensor) -> Three:
    first, second, _ = right(f, x)
    return f(x).detach(), first, second


THREE_DERIVATIVES = (
    *marked(TASK, right),
    without_graph(
        "A derivative was differentiated that carries no graph: it was computed without `create_graph=True`, or f is "
        "linear and it is a constant, with the derivative 0."
    ),
    NOTHING_LEFT,
    *_mistake(
        "powers instead of derivatives",
        "The second number is the square of the first. Multiplying a slope by itself is not differentiating it again.",
        _from(lambda a, b, c: (a, a**2, a**3)),
        _from(lambda a, b, c: (a, a**2, c)),
    ),
    *_mistake(
        ".grad accumulates",
        "The second and third number hold earlier derivatives as well: each `backward` adds to what `x.grad` still "
        "held. See lesson 08, “One derivative after another”.",
        _from(lambda a, b, c: (a, a + b, a + 2 * b + c)),
        _from(lambda a, b, c: (a, a + 2 * b + c, a + 2 * b + c)),
        _from(lambda a, b, c: (a, a + b, a + b + c)),
    ),
    *_mistake(
        "the value counted as a derivative",
        "The numbers are f, f' and f''. Asked for are f', f'' and f''': one more pass, and not the value.",
        _value_first,
    ),
    *_mistake(
        "the same derivative again",
        "The third number repeats the second. Which tensor does the third call differentiate?",
        _from(lambda a, b, c: (a, b, b)),
    ),
    *_mistake(
        "the first three times",
        "All three numbers are the first derivative. Which tensor does each call differentiate?",
        _from(lambda a, b, c: (a, a, a)),
    ),
    *_mistake(
        "divided by factorials",
        "These are the coefficients of the Taylor series. The derivatives themselves are asked for, without the "
        "factorials.",
        _from(lambda a, b, c: (a, b / 2, c / 6)),
    ),
)
