"""GradientReversal: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy
import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import number, positive, tensor_text
from autograder.checks.own_nodes import by_its_own_node
from autograder.checks.task import Task

from ..shared import draw, elementwise, reference_of, some_shape


class Composed:
    """x, with a gradient of -strength: a difference that is 0 carries it."""

    @staticmethod
    def apply(x: torch.Tensor, strength: float) -> torch.Tensor:
        return x.detach() - strength * (x - x.detach())


class ByHand:
    """x, with the slope -strength by definition."""

    @staticmethod
    def apply(x: torch.Tensor, strength: float) -> torch.Tensor:
        return elementwise(lambda array: array.copy(), lambda array: numpy.full_like(array, -strength)).apply(x)


REFERENCE = reference_of("GradientReversal", Composed, ByHand, "the definition, in NumPy")

TASK = Task(
    __file__,
    minutes=5,
    concepts=("custom functions", "upstream"),
    section="Identity forward: clip or reverse a gradient",
    reference=REFERENCE,
)


def _reversal(source: Random) -> str:
    shape = some_shape(source)
    strengths = [sign * positive(source, 0.1, 3) for sign in source.sample((1, -1), 2)]
    return (
        f"x = {tensor_text(source, shape, requires_grad=True)}\nb = {tensor_text(source, shape, requires_grad=True)}\n"
        f"upstream = {tensor_text(source, shape)}\nresult = GradientReversal.apply(x, {strengths[0]})\n"
        f"other = GradientReversal.apply(b, {strengths[1]})\n(result * 2 + other).backward(upstream)\n"
    )


def _reversal_in_a_sum(source: Random) -> str:
    shape, strength = some_shape(source), number(source, 0.1)
    return (
        f"x = {tensor_text(source, shape, requires_grad=True)}\nb = {tensor_text(source, shape, requires_grad=True)}\n"
        f"upstream = {tensor_text(source, shape)}\nresult = GradientReversal.apply(x, {strength})\n"
        "(result + b).backward(upstream)\n"
    )


reversal = draw(_reversal, "result", "x.grad", "b.grad")
reversal_in_a_sum = draw(_reversal_in_a_sum, "x.grad", "b.grad")


@TASK.check("forward as it is, backward reversed", points=3, cases="reversed", draw=with_ends(reversal))
def test_reversal(answers: Answers) -> None:
    """Each apply with its own strength."""
    by_its_own_node(answers)


@TASK.check(
    "the upstream gradient left alone",
    points=1,
    cases="left alone",
    draw=reversal_in_a_sum,
    draws=1,
    damage=("numbers changed",),
)
def test_reversal_in_a_sum(answers: Answers) -> None:
    """A neighbour that shares the gradient gets what it should."""
    by_its_own_node(answers)
