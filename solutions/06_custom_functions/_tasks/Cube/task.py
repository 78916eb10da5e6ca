"""Cube: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.own_nodes import by_its_own_node
from autograder.checks.task import Task

from ..shared import draw, elementwise, reference_of, some_shape, twice_differentiated


class Composed:
    """x cubed."""

    @staticmethod
    def apply(x: torch.Tensor) -> torch.Tensor:
        return x * x * x


ByHand = elementwise(lambda x: x**3, lambda x: 3 * x**2, lambda x: 6 * x)
REFERENCE = reference_of("Cube", Composed, ByHand, "closed forms in NumPy")

TASK = Task(
    __file__,
    minutes=5,
    concepts=("custom functions", "second derivatives"),
    section="Writing a torch.autograd.Function",
    reference=REFERENCE,
)


def _cube(source: Random) -> str:
    shape = some_shape(source)
    return (
        f"x = {tensor_text(source, shape, requires_grad=True)}\nw = {tensor_text(source, shape, requires_grad=True)}\n"
        f"weights = {tensor_text(source, shape)}\nresult = Cube.apply(x)\nother = Cube.apply(w)\n"
        f"loss = (weights * result).sum() + {number(source)} * other.sum()\nloss.backward()\n"
    )


def _cube_second(source: Random) -> str:
    return twice_differentiated("Cube", tensor_text(source, (3,), requires_grad=True), 3, source)


cube = draw(_cube, "result", "x.grad", "w.grad")
cube_second = draw(_cube_second, "x.grad", "upstream.grad")


@TASK.check("value and gradient", points=2, cases="first", draw=with_ends(cube))
def test_cube(answers: Answers) -> None:
    """Any shape, several applies before one backward."""
    by_its_own_node(answers)


@TASK.check("second derivative", points=2, cases="second", draw=cube_second, draws=1)
def test_cube_twice(answers: Answers) -> None:
    """Backward is differentiated with respect to x and to the upstream gradient."""
    by_its_own_node(answers)
