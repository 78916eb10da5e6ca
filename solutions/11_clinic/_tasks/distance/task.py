"""distance: what is right, from two sources, and what is asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import numpy
import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import program_reference

from ..shared import BEGIN, Array, Carried


def _distance(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.linalg.vector_norm(a - b, dim=1)


def _distances(a: Array, b: Array) -> tuple[Array, list[Callable]]:
    lengths = numpy.array([math.hypot(*row) for row in a - b])
    directions = numpy.divide(a - b, lengths[:, None], out=numpy.zeros_like(a), where=lengths[:, None] > 0)
    return lengths, [lambda upstream: upstream[:, None] * directions, lambda upstream: -upstream[:, None] * directions]


REFERENCE = program_reference(
    "distance",
    _distance,
    "torch's own norm, by autograd",
    lambda replay, a, b: Carried.apply(_distances, a, b),
    "closed form in NumPy, row by row",
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("gates",),
    section="torch.where: right values, nan in the gradient",
    begin=BEGIN,
    reference=REFERENCE,
    says={
        "int((result == 0).sum())": "{got} entries of `result` are 0, expected {expected}",
    },
)


def _rows(source: Random, gap: float) -> tuple[Program]:
    """Rows far apart, one that coincides, one that does in one coordinate only, and one at about `gap`."""
    d = source.randint(2, 3)
    partners = [[number(source) for _ in range(d)] for _ in range(source.randint(2, 3))]
    points = [[number(source) for _ in range(d)] for _ in partners]
    points[0] = list(partners[0])
    points[1][0] = partners[1][0]
    if gap:
        partners.append([0.0] * d)
        points.append([gap * number(source) for _ in range(d)])
    order = source.sample(range(len(points)), len(points))
    a, b = ([rows[i] for i in order] for rows in (points, partners))
    text = f"""a = torch.tensor({a}, dtype=torch.float64, requires_grad=True)
b = torch.tensor({b}, dtype=torch.float64, requires_grad=True)
result = distance(a, b)
result.backward({tensor_text(source, (len(a),))})
"""
    return (Program(text, ("result", "a.grad", "b.grad")),)


def coinciding(source: Random) -> tuple[Program]:
    """One pair of rows coincides."""
    return _rows(source, 0.0)


def nearly_coinciding(source: Random) -> tuple[Program]:
    """One pair of rows coincides, and one nearly."""
    return _rows(source, 1e-9)


@TASK.check("rows that coincide", points=2, cases="coincide", draw=with_ends(coinciding))
def test_distance(answers: Answers) -> None:
    """A gradient of 0 for both, among rows that lie apart."""
    answers.agree()


@TASK.check("rows that nearly coincide", points=2, cases="nearly", draw=nearly_coinciding, draws=1)
def test_distance_of_near_rows(answers: Answers) -> None:
    """Nothing is added under the root."""
    answers.agree()
