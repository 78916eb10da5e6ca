"""smallest_epsilon: what is right, from two sources, and what is asked."""

from __future__ import annotations

import itertools
from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.numbers import number
from autograder.checks.task import Task
from autograder.references import Reference


def least_change(w: torch.Tensor, b: float, x: torch.Tensor) -> torch.Tensor:
    """The score's size, divided by how fast it can fall."""
    return (x @ w + b).abs() / w.abs().sum()


def _least_change_by_search(w: torch.Tensor, b: float, x: torch.Tensor) -> torch.Tensor:
    """Along every direction whose entries are 1 or -1, how far the score's zero is; the nearest."""
    found = []
    for row in x.double():
        score = sum(float(a) * float(c) for a, c in zip(row, w, strict=True)) + b
        speeds = (
            sum(s * float(c) for s, c in zip(way, w, strict=True)) for way in itertools.product((1, -1), repeat=len(w))
        )
        found.append(min(abs(score / speed) for speed in speeds if speed))
    return torch.tensor(found, dtype=x.dtype)


REFERENCE = Reference(least_change, "closed form", _least_change_by_search, "a search among all corners of the box")

TASK = Task(
    __file__,
    minutes=5,
    concepts=("optimisation",),
    section="Distance to the decision boundary",
    reference=REFERENCE,
)


def smallest_epsilon(source: Random) -> tuple[torch.Tensor, float, torch.Tensor]:
    """A linear score, and points on both sides of it."""
    n, rows = source.randint(2, 5), source.randint(2, 4)
    w = torch.tensor([number(source) for _ in range(n)], dtype=torch.float64)
    x = torch.tensor([[number(source) for _ in range(n)] for _ in range(rows)], dtype=torch.float64)
    middle = (x @ w).sort().values
    if span():
        return w, number(source), x
    b = -(middle[0] + middle[-1]).item() / 2 + number(source, 0.01, 0.1)
    return w, round(b, 3), x


@TASK.check("both sides of the boundary", points=2, cases="sides", draw=with_ends(smallest_epsilon))
def test_smallest_epsilon(answers: Answers) -> None:
    """Weights of either sign."""
    answers.agree()


@TASK.check("on it, zeros, float32", points=1, cases="special")
def test_smallest_epsilon_of_special_points(answers: Answers) -> None:
    """The arguments stay as they are."""
    answers.agree()
