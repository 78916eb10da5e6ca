"""A judgement that exercises on torch.autograd.Function share: the result comes from the Function's own node."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws.custom_functions import NODE
from autograder.diagnosis.custom_functions import NOT_A_FUNCTION


def by_its_own_node(answers: Answers) -> None:
    """The numbers are right, and the result comes from the Function's own node.

    Raises:
        Finding: where that is not so.
    """
    answers.agree()
    name = answers.task.name
    answers.observe(
        lambda case, seen: seen["result"].get(NODE) == f"{name}Backward",
        f"The numbers are right, and no node called `{name}Backward` made the result of `{name}.apply`.",
        NOT_A_FUNCTION,
    )
