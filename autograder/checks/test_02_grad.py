"""Checks of exercise 02: torch.autograd.grad."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws import grad as draws
from autograder.checks.graphs import graph_of_program
from autograder.checks.task import Task
from autograder.diagnosis import grad as mistakes
from autograder.references import grad as reference
from autograder.references import public_cases

EXERCISE = "02_grad"


def cases(task: str, group: str | None = None) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


ALL_PARTIALS = Task(
    "all_partials",
    EXERCISE,
    minutes=8,
    section="One output, many nodes",
    reference=reference.all_partials,
    mistakes=mistakes.ALL_PARTIALS,
    graph=graph_of_program("all_partials"),
)


@ALL_PARTIALS.check(
    "every partial, returned and not stored",
    points=2,
    cases=cases("all_partials", "values"),
    draw=draws.all_partials("result", "x.grad", "w.grad", "b.grad"),
)
def test_all_partials(answers: Answers) -> None:
    """A tuple in the order of the nodes; `.grad` stays None."""
    answers.agree()


@ALL_PARTIALS.check(
    "one backward pass",
    points=1,
    cases=cases("all_partials", "one pass"),
    draw=draws.all_partials("runs.total()"),
)
def test_all_partials_in_one_pass(answers: Answers) -> None:
    """Each node runs once."""
    answers.agree()
