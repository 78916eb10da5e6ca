"""Mistakes of recurrence_gradient."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis.elements.single_elements import NOT_IN_THE_GRAPH
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under


def _run(x0: float, n: int) -> tuple[list[float], list[float], list[float]]:
    """The values t[0] to t[n]; the slopes of the steps with t[0] held fixed; the totals d t[k] / d t[0]."""
    t, slopes, totals = [x0], [], [1.0]
    for _ in range(n):
        slopes.append(math.cos(t[-1]) + x0)
        totals.append(slopes[-1] * totals[-1] + t[-1])
        t.append(math.sin(t[-1]) + t[-1] * x0)
    return t, slopes, totals


def _answer(x0: float, n: int) -> list[float]:
    _, slopes, totals = _run(x0, n)
    return [totals[n]] + [math.prod(slopes[k:]) for k in range(1, n + 1)]


def _chain(change: Callable[[float, float], float]) -> Callable[[float, int], list[float]]:
    """Products along the chain of slopes `change(t[k], t[0])`, for k = 0 too."""

    def implementation(x0: float, n: int) -> list[float]:
        t, _, _ = _run(x0, n)
        slopes = [change(value, x0) for value in t[:n]]
        return [math.prod(slopes[k:]) for k in range(n + 1)]

    return implementation


def _start_moving_too(x0: float, n: int) -> list[float]:
    """Each entry as if the recurrence began at k: what t[k] gives when t[0] moves along with it."""
    t, slopes, _ = _run(x0, n)
    found = []
    for k in range(n + 1):
        total = 1.0
        for j in range(k, n):
            total = slopes[j] * total + t[j]
        found.append(total)
    return found


def _single(x0: float, n: int) -> list[float]:
    t = [torch.tensor(x0, requires_grad=True)]
    for _ in range(n):
        t.append(torch.sin(t[-1]) + t[-1] * t[0])
    return [partial.item() for partial in torch.autograd.grad(t[n], t)]


def _without_the_start(x0: float, n: int) -> list[float]:
    """The start enters as a number: its own path along the chain is all that is left."""
    return _chain(lambda value, start: math.cos(value) + start)(x0, n)


def _of_the_sum(x0: float, n: int) -> list[float]:
    t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
    for _ in range(n):
        t.append(torch.sin(t[-1]) + t[-1] * t[0])
    return [partial.item() for partial in torch.autograd.grad(torch.stack(t).sum(), t)]


def _mistake(name: str, sentence: str, implementation: Callable[[float, int], Any]) -> Mistake:
    return Mistake(name, sentence, under("recurrence_gradient", implementation))


RECURRENCE_GRADIENT = (
    _mistake(
        "entry 0 along the chain only",
        "Entry 0 is the product along the chain. `t[0]` enters every step a second time, as a factor, and the total "
        "derivative counts those paths as well.",
        _without_the_start,
    ),
    _mistake(
        "t[0] not held fixed",
        "When `t[k]` was moved, `t[0]` moved with it. For k >= 1 the start stays where it is.",
        _start_moving_too,
    ),
    _mistake(
        "the factor t[0] left out of the slope",
        "The slope of a step has two terms, since `t[k]` stands in the sine and in the product.",
        _chain(lambda value, start: math.cos(value)),
    ),
    _mistake(
        "derivatives of every element by the first",
        "These are the derivatives of `t[k]` with respect to `t[0]`. Asked for is the last element with respect to "
        "each `t[k]`.",
        lambda x0, n: _run(x0, n)[2],
    ),
    _mistake(
        "one step each",
        "Each entry is the slope of a single step. From `t[k]` to `t[n]` there are n - k of them.",
        lambda x0, n: [*_run(x0, n)[1], 1.0],
    ),
    _mistake(
        "from the end",
        "The entries stand in reverse order: entry k belongs to `t[k]`, and the last is 1.",
        lambda x0, n: _answer(x0, n)[::-1],
    ),
    _mistake(
        "one entry missing",
        "There are n + 1 elements, from `t[0]` to `t[n]`, so there are n + 1 entries. The last is a result with "
        "respect to itself.",
        lambda x0, n: _answer(x0, n)[:-1],
    ),
    _mistake(
        "one step too many",
        "This is the answer for a recurrence one step longer.",
        lambda x0, n: _answer(x0, n + 1),
    ),
    _mistake(
        "the sum of all elements",
        "The sum of all elements was differentiated. Asked for is the last one alone.",
        _of_the_sum,
    ),
    _mistake(
        "the finished tensor asked",
        "The finished tensor was asked: its last element moves with itself, and with nothing else in it. The steps "
        "used tensors that were there before. See lesson 05, “Elements first, tensor last”.",
        lambda x0, n: [0.0] * n + [1.0],
    ),
    _mistake(
        "values of the recurrence",
        "These are the values `t[0]` to `t[n]`. Asked for is how the last moves with each.",
        lambda x0, n: _run(x0, n)[0],
    ),
    Mistake(
        "a new tensor asked about",
        "The last element was not computed from one of the tensors that you ask about. Those in the list and those "
        "in the formula must be the same objects.",
        raises=NOT_IN_THE_GRAPH,
    ),
    _mistake(
        "float32",
        "The first digits are right and the later ones are not, as in float32. In which dtype was `t[0]` made?",
        _single,
    ),
)
