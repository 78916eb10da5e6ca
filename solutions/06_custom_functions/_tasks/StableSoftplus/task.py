"""StableSoftplus: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy
import torch
from torch.nn import functional

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, span, with_ends
from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.own_nodes import by_its_own_node
from autograder.checks.task import Task
from autograder.comparison import Tolerance

from ..shared import Array, draw, elementwise, once, reference_of, twice_differentiated, vector


class Composed:
    """ln(1 + exp(x)); from 40 on it is x to the last digit."""

    @staticmethod
    def apply(x: torch.Tensor) -> torch.Tensor:
        return functional.softplus(x, threshold=40.0)


def _logistic(x: Array) -> Array:
    small = numpy.exp(-numpy.abs(x))  # between 0 and 1
    return numpy.where(x >= 0, 1, small) / (1 + small)


ByHand = elementwise(
    lambda x: numpy.maximum(x, 0) + numpy.log1p(numpy.exp(-numpy.abs(x))),
    _logistic,
    lambda x: numpy.exp(-numpy.abs(x)) / (1 + numpy.exp(-numpy.abs(x))) ** 2,
)

REFERENCE = reference_of("StableSoftplus", Composed, ByHand, "closed forms in NumPy")

TASK = Task(
    __file__,
    minutes=8,
    concepts=("custom functions", "gates"),
    section="Numerically stable values and derivatives",
    reference=REFERENCE,
    tolerance=Tolerance(relative=0.0, of_scale=0.0, absolute=1e-6),
)


def _softplus_points(source: Random) -> list[float]:
    """From near 0 to the ends of the interval, both signs, 0 among them."""
    ends = [round(sign * source.uniform(low, 1000), 2) for sign in (-1, 1) for low in (40, 720)]
    points = [number(source) for _ in ends] if span() else [*ends, number(source), number(source, 3, 35), 0.0]
    source.shuffle(points)
    return points


def _softplus(source: Random) -> str:
    points = _softplus_points(source)
    x = vector(points, requires_grad=True)
    return once("StableSoftplus.apply(x)", x, tensor_text(source, (len(points),)))


def _softplus_second(source: Random) -> str:
    points = _softplus_points(source)
    return twice_differentiated("StableSoftplus", vector(points, requires_grad=True), len(points), source)


softplus_value = draw(_softplus, "result")
softplus_first = draw(_softplus, "x.grad")
softplus_second = draw(_softplus_second, "x.grad", "upstream.grad")


@TASK.check("value", points=1, cases="value", draw=with_ends(softplus_value, TINY))
def test_softplus(answers: Answers) -> None:
    """Finite and right from -1000 to 1000."""
    by_its_own_node(answers)


@TASK.check("first derivative", points=2, cases="first", draw=with_ends(softplus_first, TINY))
def test_softplus_slope(answers: Answers) -> None:
    """The same for the slope."""
    by_its_own_node(answers)


@TASK.check("second derivative", points=2, cases="second", draw=softplus_second, draws=1)
def test_softplus_curvature(answers: Answers) -> None:
    """The same for the slope's slope, as autograd finds it in backward."""
    by_its_own_node(answers)
