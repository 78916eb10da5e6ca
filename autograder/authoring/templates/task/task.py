"""TASK: what is right, from two sources, and what is asked."""

from __future__ import annotations

from fractions import Fraction

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import number
from autograder.checks.task import Task
from autograder.references import Reference

# FILL IN: two ways to the right answer that share no code, and how each works.
REFERENCE = Reference(lambda x: 2 * x, "closed form", lambda x: float(Fraction(x) + Fraction(x)), "an exact sum")

# Concepts: one or two, in the words of the course's other tasks.
TASK = Task(__file__, minutes=5, concepts=("FILL IN",), reference=REFERENCE)


@TASK.check("twice the number", points=1, draw=with_ends(lambda source: (number(source),)))
def test_TASK(answers: Answers) -> None:
    """FILL IN: any number."""
    answers.agree()
