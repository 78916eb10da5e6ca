"""double: a function of a number."""

from __future__ import annotations

from fractions import Fraction

from autograder.checks.answers import Answers
from autograder.checks.draws.numbers import number
from autograder.checks.task import Task
from autograder.references import Reference

TASK = Task(
    __file__,
    minutes=2,
    section="Doubling",
    reference=Reference(lambda x: 2 * x, "closed form", lambda x: float(Fraction(x) + Fraction(x)), "an exact sum"),
)


@TASK.check("twice the number", points=1, draw=lambda source: (number(source),))
def test_double(answers: Answers) -> None:
    """Any number."""
    answers.agree()
