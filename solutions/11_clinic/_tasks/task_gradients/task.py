"""task_gradients: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

from ..shared import AUTOGRAD, BEGIN, Draw


def _task_gradients(w: torch.Tensor, x: torch.Tensor, targets: list[float]) -> list[torch.Tensor]:
    return [torch.autograd.grad(((x @ w - target) ** 2).mean(), w)[0] for target in targets]


def _task_gradients_numeric(
    replay: Replay, w: torch.Tensor, x: torch.Tensor, targets: list[float]
) -> list[torch.Tensor]:
    return [numeric.gradient(lambda moved, t=target: ((x @ moved - t) ** 2).mean(), w.detach()) for target in targets]


REFERENCE = program_reference(
    "task_gradients", _task_gradients, AUTOGRAD, _task_gradients_numeric, "central differences of each loss"
)

TASK = Task(
    __file__,
    minutes=5,
    concepts=("accumulation",),
    section="Gradients of several losses in a list",
    begin=BEGIN,
    reference=REFERENCE,
)


def task_gradients(*shown: str) -> Draw:
    """Two to four tasks; a gradient that was there."""

    def draw(source: Random) -> tuple[Program]:
        n, rows = source.randint(2, 4), source.randint(2, 4)
        targets = [number(source) for _ in range(source.randint(2, 4))]
        text = f"""w = {tensor_text(source, (n,), requires_grad=True)}
w.grad = {tensor_text(source, (n,))}
x = {tensor_text(source, (rows, n))}
result = task_gradients(w, x, {targets})
"""
        return (Program(text, shown),)

    return draw


@TASK.check("a gradient for each task", points=2, cases="gradients", draw=with_ends(task_gradients("result")))
def test_task_gradients(answers: Answers) -> None:
    """Several targets, one by one."""
    answers.agree()


@TASK.check(
    "w and its gradient as they were",
    points=1,
    cases="as found",
    draw=task_gradients("result"),
    draws=1,
    damage=True,
)
def test_task_gradients_leave_things_as_found(answers: Answers) -> None:
    """None stays None, and numbers stay; no task, no gradient."""
    answers.agree()
