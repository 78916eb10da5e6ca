"""Mistakes of forward_values."""

from __future__ import annotations

from collections.abc import Callable

from autograder.diagnosis.hypothesis import Mistake


def _forward(v: Callable[[float, float, float], float], a: Callable[[float], float]) -> Callable[..., dict]:
    def answer(x: float, w: float, b: float) -> dict[str, float]:
        return {"u": x * w, "v": v(x, w, b), "a": a(v(x, w, b))}

    return answer


def relu(v: float) -> float:
    """v where it is above 0, else 0."""
    return max(v, 0.0)


FORWARD_VALUES = (
    Mistake(
        "relu forgotten",
        "`a` follows `v` below zero. What does relu do with a negative number?",
        _forward(lambda x, w, b: x * w + b, lambda v: v),
    ),
    Mistake(
        "w + b first",
        "`v` is x * (w + b). Which of the two operations comes first in the graph?",
        lambda x, w, b: {"u": x * w, "v": x * (w + b), "a": relu(x * (w + b))},
    ),
    Mistake(
        "w + b first",
        "`b` came in too early: `u` is w + b, or x * (w + b). Which two nodes does `u` join in the graph?",
        lambda x, w, b: {"u": w + b, "v": x * (w + b), "a": relu(x * (w + b))},
    ),
    Mistake(
        "sum instead of product",
        "`u` is x + w. Which operation joins `x` and `w` in the graph?",
        lambda x, w, b: {"u": x + w, "v": x + w + b, "a": relu(x + w + b)},
    ),
    Mistake(
        "absolute value instead of relu",
        "`a` is the size of `v`, with its sign lost. relu treats a negative number otherwise.",
        _forward(lambda x, w, b: x * w + b, abs),
    ),
    Mistake(
        "relu taken too early",
        "`v` is already cut at zero. relu makes `a` out of `v`, and leaves `v` itself alone.",
        lambda x, w, b: {"u": x * w, "v": relu(x * w + b), "a": relu(x * w + b)},
    ),
    Mistake(
        "b left out",
        "`v` equals `u`. What else goes into `v`?",
        _forward(lambda x, w, b: x * w, relu),
    ),
    Mistake(
        "b subtracted",
        "`v` is u - b. Which operation joins `u` and `b` in the graph?",
        _forward(lambda x, w, b: x * w - b, relu),
    ),
)
