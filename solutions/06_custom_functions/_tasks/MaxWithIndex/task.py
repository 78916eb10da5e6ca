"""MaxWithIndex: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy
import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.numbers import number
from autograder.checks.own_nodes import by_its_own_node
from autograder.checks.task import Task

from ..shared import array_of, draw, reference_of, vector


class Composed:
    """The largest element by indexing, and where it stands first."""

    @staticmethod
    def apply(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        index = (x == x.max()).nonzero()[0, 0]
        return x[index], index


class ByHand:
    """The product with a row that holds a 1 at the maximum."""

    @staticmethod
    def apply(x: torch.Tensor) -> tuple[torch.Tensor, int]:
        index = int(numpy.argmax(array_of(x)))
        row = torch.zeros_like(x)
        row[index] = 1
        return row @ x, index


REFERENCE = reference_of("MaxWithIndex", Composed, ByHand, "NumPy's argmax, and a row with a single 1")

TASK = Task(
    __file__,
    minutes=8,
    concepts=("custom functions", "gates"),
    section="Several outputs and mark_non_differentiable",
    reference=REFERENCE,
    says={
        "torch.as_tensor(index).dtype == torch.int64": "`index` is not of dtype int64",
        "torch.as_tensor(index).requires_grad": "`index` requires a gradient, and should not",
    },
)


def _maximum(source: Random) -> str:
    numbers = source.sample([round(0.37 * i - 2, 2) for i in range(12)], source.randint(3, 6))
    return _maximum_of([number(source) for _ in numbers] if span() else numbers, source)


def _tied_maximum(source: Random) -> str:
    numbers = [number(source, 0.1, 2.0) for _ in range(source.randint(1, 3))] + [2.5] * source.randint(2, 3)
    source.shuffle(numbers)
    return _maximum_of(numbers, source)


def _maximum_of(numbers: list[float], source: Random) -> str:
    others = [-one for one in numbers]
    return (
        f"x = {vector(numbers, requires_grad=True)}\nw = {vector(others, requires_grad=True)}\n"
        f"result, index = MaxWithIndex.apply(x)\nother, _ = MaxWithIndex.apply(w)\n"
        f"loss = {number(source)} * result + other\nloss.backward()\n"
    )


maximum = draw(_maximum, "result", "int(index)", "x.grad")
tied_maximum = draw(_tied_maximum, "result", "int(index)", "x.grad")
index_alone = draw(_maximum, "torch.as_tensor(index).dtype == torch.int64", "torch.as_tensor(index).requires_grad")


@TASK.check("maximum, index and gradient", points=2, cases="maximum", draw=with_ends(maximum))
def test_maximum(answers: Answers) -> None:
    """One maximum."""
    by_its_own_node(answers)


@TASK.check("ties", points=1, cases="ties", draw=tied_maximum, draws=1)
def test_maximum_ties(answers: Answers) -> None:
    """The first of several takes the gradient."""
    by_its_own_node(answers)


@TASK.check("the index has no gradient", points=1, cases="index", draw=index_alone, draws=1)
def test_maximum_index(answers: Answers) -> None:
    """A whole number that requires no gradient."""
    by_its_own_node(answers)
