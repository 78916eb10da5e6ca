"""The first right and the first wrong answer to each task, on another device than the CPU: the same verdicts.

Where there is no such device they are reported as skipped, by name. torch's `lazy` device is everywhere.
"""

from __future__ import annotations

import pytest

from autograder.checks.task import Task
from tests.answers import Answer, right_answers, wrong_answers
from tests.chosen import TASKS
from tests.depth import exhaustive, one_of_each
from tests.devices import disagreement, here_or_skipped


def first_answer(task: Task, kind: str) -> Answer:
    """The first right or wrong answer to a task."""
    answers = (right_answers if kind == "right" else wrong_answers)(task.exercise)
    return next(answer for answer in answers if answer.task == task.name)


SAMPLE = [(task.exercise, first_answer(task, kind)) for task in TASKS for kind in ("right", "wrong")]
STATISTICS = "on lazy, BatchNorm never updates its running statistics"
DUAL = "on lazy, forward mode ends the process with SIGSEGV"
NOT_ON_LAZY = {
    ("micro_batches", "right"): "on lazy, torch.batch_norm ends the process with SIGSEGV here",
    ("retained_by_layer", "right"): STATISTICS,
    ("layer_gradients", "right"): STATISTICS,
    ("per_sample_jacobian", "right"): STATISTICS,
    ("attach_savers", "right"): "on lazy, a second pass adds to a .grad twice where a hook has read the first",
    ("directional_derivative", "right"): DUAL,
    ("gradient_through_a_step", "right"): DUAL,
    ("largest_gain", "right"): "on lazy, as_strided, which a second derivative needs, is missing",
    ("largest_gain", "wrong"): "on lazy, torch.func.jvp ends the process with SIGSEGV",
    ("smallest_epsilon", "right"): "on lazy, the rows that `for row in x` gives are on the CPU",
    ("newton_step", "right"): "on lazy, torch.func.hessian fails an assertion inside torch",
    ("directional_derivative", "wrong"): "on lazy, what torch.func.jacrev gives is on the CPU",
}
"""Answers of the sample that torch's own lazy device cannot run, and what it does instead."""
NOT_ON_CUDA = {("PickMany", "wrong"): "on CUDA, of several writes to one place any may count, and not the last"}
"""Answers of the sample that get another diagnosis on CUDA."""


def _id(value: object) -> str:
    return f"{value.task}-{value.kind}" if isinstance(value, Answer) else str(value)


@pytest.mark.parametrize("kind", ["lazy", "cuda", "mps"])
@pytest.mark.parametrize(("exercise", "answer"), one_of_each(SAMPLE, type, several=True, rest=exhaustive), ids=_id)
def test_an_answer_is_judged_as_on_the_cpu(
    exercise: str, answer: Answer, kind: str, request: pytest.FixtureRequest
) -> None:
    if kind == "lazy" and (why := NOT_ON_LAZY.get((answer.task, answer.kind))):
        request.applymarker(pytest.mark.xfail(reason=why, strict=True))
    if kind == "cuda" and (why := NOT_ON_CUDA.get((answer.task, answer.kind))):
        request.applymarker(pytest.mark.xfail(reason=why, strict=False))
    assert disagreement(exercise, answer, here_or_skipped(kind)) == ""
