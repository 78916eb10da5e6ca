"""StraightThroughSign: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy
import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.own_nodes import by_its_own_node
from autograder.checks.task import Task

from ..shared import draw, elementwise, once, reference_of, vector


class Composed:
    """The sign, and a difference that is 0 and carries the gradient.

    The slope of `clamp`, which would be shorter, is 1 at its limits in torch 2.13 and 0 in 2.15.
    """

    @staticmethod
    def apply(x: torch.Tensor) -> torch.Tensor:
        passing = torch.where(x.abs() <= 1, x, 0.0)
        return x.sign().detach() + (passing - passing.detach())


ByHand = elementwise(numpy.sign, lambda x: numpy.where(numpy.abs(x) <= 1, 1.0, 0.0))
REFERENCE = reference_of("StraightThroughSign", Composed, ByHand, "the definition, in NumPy")

TASK = Task(
    __file__,
    minutes=5,
    concepts=("custom functions", "gates"),
    section="Straight-through: gradients defined, not derived",
    reference=REFERENCE,
)


def _sign(source: Random) -> str:
    inside, outside = (round(source.uniform(0.05, 0.95), 2) for _ in range(2)), (number(source, 1.1, 4.0),)
    points = [0.0, 1.0, -1.0, *(source.choice((-1, 1)) * one for one in inside), *outside, -outside[0]]
    source.shuffle(points)
    if span():
        points = [number(source) for _ in points]
    x = vector(points, requires_grad=True)
    return once("StraightThroughSign.apply(x)", x, tensor_text(source, (len(points),), low=0.2))


sign_value = draw(_sign, "result")
sign_gradient = draw(_sign, "x.grad")


@TASK.check("forward", points=1, cases="value", draw=with_ends(sign_value))
def test_sign(answers: Answers) -> None:
    """The sign, 0 at 0."""
    by_its_own_node(answers)


@TASK.check("backward", points=2, cases="gradient", draw=with_ends(sign_gradient))
def test_sign_gradient(answers: Answers) -> None:
    """Straight through the window from -1 to 1, edges included."""
    by_its_own_node(answers)
