"""recurrence_gradient: what is right, from two sources, and what is asked."""

from __future__ import annotations

import math
from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, with_ends
from autograder.checks.draws.numbers import number
from autograder.checks.task import Task
from autograder.comparison import Tolerance
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import Draw


def _recurrence_gradient(x0: float, n: int) -> list[float]:
    t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
    for _ in range(n):
        t.append(torch.sin(t[-1]) + t[-1] * t[0])
    return [partial.item() for partial in torch.autograd.grad(t[n], t)]


def _recurrence_gradient_by_hand(replay: Replay, x0: float, n: int) -> list[float]:
    """Products along the chain, from the end; the total goes along with the recurrence, from the start."""
    value, total, slopes = x0, 1.0, []
    for _ in range(n):
        slopes.append(math.cos(value) + x0)
        total = slopes[-1] * total + value
        value = math.sin(value) + value * x0
    return [total] + [math.prod(slopes[k:]) for k in range(1, n + 1)]


REFERENCE = program_reference(
    "recurrence_gradient",
    _recurrence_gradient,
    "autograd in float64",
    _recurrence_gradient_by_hand,
    "products of local derivatives in plain floats",
    second_error=1e-12,
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("graphs", "accumulation"),
    section="Recurrences and what is held fixed",
    reference=REFERENCE,
    core=False,
    tolerance=Tolerance(relative=1e-9, of_scale=1e-12, absolute=1e-60),  # 1e-60: what rounding leaves of a 0
)


def recurrence_gradient(*shown: str) -> Draw:
    """A start of moderate size, so that the last element stays moderate too."""

    def draw(source: Random) -> tuple[Program]:
        start, n = number(source, 0.2, 1.2), source.randint(2, 9)
        return (Program(f"result = recurrence_gradient({start}, {n})\n", shown),)

    return draw


@TASK.check(
    "with `t[0]` held fixed",
    points=2,
    cases="held fixed",
    draw=with_ends(recurrence_gradient("result[1:]"), TINY),
)
def test_recurrence_gradient(answers: Answers) -> None:
    """Entries 1 to n."""
    answers.agree()


@TASK.check("the total derivative", points=2, cases="total", draw=recurrence_gradient("result[0]"))
def test_recurrence_gradient_of_the_start(answers: Answers) -> None:
    """Entry 0."""
    answers.agree()


@TASK.check("no step, or one", points=1, cases="shortest")
def test_recurrence_gradient_of_the_shortest(answers: Answers) -> None:
    """n = 0, and how long the list is for n = 1."""
    answers.agree()
