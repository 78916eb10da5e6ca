"""Mistakes of finite_difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.diagnosis.hypothesis import Mistake
from autograder.probes.specimens import build


def _differences(change: Callable[[Callable, Any, int], float]) -> Callable[[Any, Any], list[float]]:
    """A gradient made of `change(f, x, i)` for each element."""

    def answer(f: Any, x: Any) -> list[float]:
        function = build(f)
        return [float(change(function, x, i)) for i in range(len(x))]

    return answer


def _step(x: Any, i: int, h: float) -> Any:
    moved = x.clone()
    moved[i] += h
    return moved


def _one_sided(h: float) -> Callable[[Any, Any], list[float]]:
    return _differences(lambda f, x, i: (f(_step(x, i, h)) - f(x)) / h)


def _backward(h: float) -> Callable[[Any, Any], list[float]]:
    return _differences(lambda f, x, i: (f(x) - f(_step(x, i, -h))) / h)


def _left_moved(h: float) -> Callable[[Any, Any], list[float]]:
    """Each element is moved up and down and never put back."""

    def answer(f: Any, x: Any) -> list[float]:
        function, moved, gradient = build(f), x.clone(), []
        for i in range(len(x)):
            moved[i] += h
            up = float(function(moved))
            moved[i] -= 2 * h
            gradient.append((up - float(function(moved))) / (2 * h))
        return gradient

    return answer


def _central(h: float) -> Callable[[Any, Any], list[float]]:
    return _differences(lambda f, x, i: (f(_step(x, i, h)) - f(_step(x, i, -h))) / (2 * h))


NOT_CENTRAL = "A central difference asks the function on both sides of `x`, at the same distance, for each element."
ONE_SIDED = f"Only one side was asked. {NOT_CENTRAL}"
FINITE_DIFFERENCE = (
    Mistake(
        "all elements moved at once",
        "Every entry is the same: the change when all elements move together. Move one element at a time.",
        _differences(lambda f, x, i: (f(x + 1e-5) - f(x - 1e-5)) / 2e-5),
    ),
    Mistake(
        "not divided by twice the step",
        "Every entry is twice as large as it should be. How far apart are the two points?",
        _differences(lambda f, x, i: (f(_step(x, i, 1e-5)) - f(_step(x, i, -1e-5))) / 1e-5),
    ),
    *(Mistake("one-sided", ONE_SIDED, make(10.0**-k)) for make in (_one_sided, _backward) for k in range(3, 6)),
    Mistake(
        "step too large",
        "The error is that of a step as large as 0.01. The lesson's plot shows where the error is least.",
        _central(1e-2),
    ),
    *(
        Mistake(
            "step too small",
            "The error is one of rounding: with a step this small, f changes in its last digits only. The "
            "lesson's plot shows where the error is least.",
            _central(10.0**-k),
        )
        for k in range(9, 15)
    ),
    *(
        Mistake(
            "elements left moved",
            "Each entry after the first was taken at a point where earlier elements had not been put back.",
            _left_moved(10.0**-k),
        )
        for k in range(3, 6)
    ),
    Mistake("float32", "Seven digits are too few for a difference. In which dtype were the points made?"),
    Mistake("not central", NOT_CENTRAL),
)
