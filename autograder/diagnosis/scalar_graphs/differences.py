"""Mistakes of finite_difference."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import torch

from autograder.comparison import Tolerance, agree
from autograder.diagnosis.hypothesis import Mistake
from autograder.probes.specimens import build
from autograder.references import scalar_graphs as right


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


BEST_STEP = 1e-5
"""About where the two errors of a central difference are equal, for functions of the size that the task names."""
NEAR = Tolerance(relative=0.02, of_scale=0, absolute=1e-6)
"""The tiniest steps are themselves rounded, by a fiftieth of their length."""
PLOT = "The lesson's plot shows where the error is least."
TOO_LARGE = Mistake(
    "step too large",
    f"The step is too large: the error is that of the formula itself, which falls with the step's square. {PLOT}",
)
TOO_SMALL = Mistake(
    "step too small",
    f"The step is too small: f changes in its last digits only, so the error is one of rounding, which grows as the "
    f"step shrinks. {PLOT}",
)
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
    *(
        Mistake(
            "elements left moved",
            "Each entry after the first was taken at a point where earlier elements had not been put back.",
            _left_moved(10.0**-k),
        )
        for k in range(3, 6)
    ),
    TOO_LARGE,
    TOO_SMALL,
    Mistake("float32", "Seven digits are too few for a difference. In which dtype were the points made?"),
    Mistake("not central", NOT_CENTRAL),
)


def step_mistake(f: Any, x: torch.Tensor, points: list[torch.Tensor], got: Any) -> Mistake | None:
    """The mistake of an answer that is nothing but the central differences of the points that were asked for.

    Args:
        f: the function's specimen.
        x: the point.
        points: where `f` was asked: pairs on both sides of `x`, for every element.
        got: the answer.

    Returns:
        The mistake, which names the step at the least exact element; None where the answer is another one.
    """
    function, exact = build(f), right.finite_difference.oracle(f, x)
    steps, quotients = [], []
    for i in range(len(x)):
        moved = [point for point in points if point[i] != x[i] and bool((point != x).sum() == 1)]
        high, low = max(moved, key=lambda point: point[i]), min(moved, key=lambda point: point[i])
        steps.append(float(high[i] - low[i]) / 2)
        quotients.append(float(function(high) - function(low)) / (2 * steps[-1]))
    if not agree(got, quotients, NEAR):
        return None
    step = max(zip(steps, got, exact, strict=True), key=lambda one: abs(one[1] - one[2]))[0]
    mistake = TOO_LARGE if step > BEST_STEP else TOO_SMALL
    return dataclasses.replace(mistake, sentence=mistake.sentence.replace("The step", f"Your step of {step:.2g}", 1))
