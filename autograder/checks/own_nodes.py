"""A check that tasks on `torch.autograd.Function` share: the result comes from the Function's own node."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.diagnosis.functions import NOT_A_FUNCTION
from autograder.probes.programs import NODE


def by_its_own_node(answers: Answers) -> None:
    """Require that the numbers are right and that the result comes from the Function's own node.

    Raises:
        Finding: if one of the two does not hold.
    """
    answers.agree()
    name = answers.task.name
    answers.observe(
        lambda case, seen: seen["result"].get(NODE) == f"{name}Backward",
        f"The numbers are right, and no node called `{name}Backward` made the result of `{name}.apply`.",
        NOT_A_FUNCTION,
    )
