"""slope: asked by programs, which look at what else has happened."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import program_reference

from ..shared import SHOWN

TASK = Task(
    __file__,
    minutes=5,
    section="Slopes",
    reference=program_reference(
        "slope",
        lambda y, x: torch.autograd.grad(y, x)[0],
        "one pass of autograd",
        lambda replay, y, x: replay.gradient(y, x),
        "central differences",
    ),
)


def drawn(source: Random) -> tuple[Program]:
    """A product and a power."""
    text = f"x = {tensor_text(source, (3,), requires_grad=True)}\ny = (x * x * {source.randint(2, 5)}).sum()\n"
    return (Program(f"{text}result = slope(y, x)\n", SHOWN),)


@TASK.check("the gradient", points=2, cases="value", draw=drawn)
def test_slope(answers: Answers) -> None:
    """Of any function."""
    answers.agree()


@TASK.check("nothing filled", points=1, cases="grad", draw=drawn, draws=1)
def test_nothing_filled(answers: Answers) -> None:
    """`.grad` stays None."""
    answers.agree()
