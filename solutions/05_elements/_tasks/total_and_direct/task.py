"""total_and_direct: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import unit, with_ends
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.numeric import gradient
from autograder.references.replay import Replay, program_reference

from ..shared import F64, Draw, fill, numbers


def _total_and_direct(x: torch.Tensor, i: int) -> list[float]:
    factor = x[i]
    of_x, of_factor = torch.autograd.grad(factor * x.sum(), (x, factor))
    return [of_x[i].item(), of_factor.item()]


def _total_and_direct_numeric(replay: Replay, x: torch.Tensor, i: int) -> list[float]:
    x = x.detach().double()
    total = gradient(lambda moved: moved[i] * moved.sum(), x)[i]
    direct = gradient(lambda factor: factor * x.sum(), x[i])
    return [total.item(), direct.item()]


REFERENCE = program_reference(
    "total_and_direct",
    _total_and_direct,
    "autograd in float64",
    _total_and_direct_numeric,
    "central differences over the tensor, and over the factor alone",
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("graphs", "accumulation"),
    section="Total and direct derivative",
    reference=REFERENCE,
)


def total_and_direct(*shown: str, filled: bool = False) -> Draw:
    """A leaf, its `.grad` filled before or not."""

    def draw(source: Random) -> tuple[Program]:
        size = source.randint(2, 6)
        i = source.randrange(-size, size)
        x = numbers(source, size, lambda x: min(abs(sum(x)), abs(sum(x) - x[i])) > 0.3 * unit())
        text = f"x = torch.tensor({x}, {F64}, requires_grad=True)\n" + fill("x", source, size, filled)
        return (Program(f"{text}result = total_and_direct(x, {i})\n", shown),)

    return draw


@TASK.check("both derivatives", points=3, cases="values", draw=with_ends(total_and_direct("result")))
def test_total_and_direct(answers: Answers) -> None:
    """All paths from the tensor, and those through the factor alone."""
    answers.agree()


@TASK.check(
    "`x.grad` as it was",
    points=1,
    cases="as it was",
    draw=total_and_direct("result", filled=True),
    damage=True,
)
def test_total_and_direct_leaves_no_traces(answers: Answers) -> None:
    """Empty or filled, and the derivatives are right in both cases."""
    answers.agree()
