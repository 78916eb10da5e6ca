"""PickMany: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy
import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.own_nodes import by_its_own_node
from autograder.checks.task import Task
from autograder.probes.programs import NODE, Program
from autograder.references import Reference
from autograder.references.replay import shown_by

from ..shared import BEGIN, Array, Carried


class _PickManyComposed:
    @staticmethod
    def apply(x: torch.Tensor, index: tuple[int, ...]) -> torch.Tensor:
        return torch.stack([x[i] for i in index])


def _picked(index: tuple[int, ...]) -> Callable[[Array], tuple[Array, list[Callable]]]:
    def formula(x: Array) -> tuple[Array, list[Callable]]:
        ones = numpy.eye(len(x))[list(index)]
        return ones @ x, [lambda upstream: ones.T @ upstream]

    return formula


class _PickManyByMatrix:
    @staticmethod
    def apply(x: torch.Tensor, index: tuple[int, ...]) -> torch.Tensor:
        return Carried.apply(_picked(index), x)


REFERENCE = Reference(
    shown_by("PickMany", _PickManyComposed),
    "autograd in float64, element by element",
    shown_by("PickMany", _PickManyByMatrix),
    "a matrix of zeros and ones in NumPy",
)

TASK = Task(
    __file__,
    minutes=8,
    concepts=("custom functions", "accumulation"),
    section="Repeated indices in a custom backward",
    begin=BEGIN,
    reference=REFERENCE,
)


def _pick_many(source: Random, *, from_the_end: bool) -> tuple[Program]:
    n = source.randint(3, 5)
    again = source.randrange(n)
    index = [again, again, *(source.randrange(n) for _ in range(source.randint(1, 3)))]
    source.shuffle(index)
    if from_the_end:
        first = index.index(again)
        index = [i - n if k == first or source.random() < 0.4 else i for k, i in enumerate(index)]
    text = f"""x = {tensor_text(source, (n,), requires_grad=True)}
result = PickMany.apply(x, {tuple(index)})
result.backward({tensor_text(source, (len(index),))})
"""
    return (Program(text, ("result", "x.grad"), (NODE,)),)


def repeats(source: Random) -> tuple[Program]:
    """At least one element twice."""
    return _pick_many(source, from_the_end=False)


def from_the_end(source: Random) -> tuple[Program]:
    """At least one element twice, at least once counted from the end."""
    return _pick_many(source, from_the_end=True)


@TASK.check("every pick counts", points=2, cases="repeats", draw=with_ends(repeats))
def test_pick_many(answers: Answers) -> None:
    """Elements that are picked several times; several applies before one backward pass."""
    by_its_own_node(answers)


@TASK.check("counted from the end", points=1, cases="from the end", draw=from_the_end, draws=1)
def test_pick_many_from_the_end(answers: Answers) -> None:
    """Two ints may name one element."""
    by_its_own_node(answers)
