"""partials: what is right, from two sources, and what is asked."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.task import Task
from autograder.references import Reference

from ..shared import TOY, gate_open, gate_shut, partials_by_autograd, partials_exactly

REFERENCE = Reference(
    partials_by_autograd(1, 1, 1),
    "autograd in float64",
    partials_exactly(1, 1, 1),
    "exact rational numbers",
)

TASK = Task(
    __file__,
    minutes=5,
    concepts=("graphs", "gates"),
    section="Products along paths",
    reference=REFERENCE,
    graph=lambda *inputs: (TOY, {"backwards": True}),
)


@TASK.check("the gate open", points=2, cases="open", draw=with_ends(gate_open(1, 1)))
def test_partials_open(answers: Answers) -> None:
    """v > 0."""
    answers.agree()


@TASK.check("the gate shut, or at its edge", points=1, cases="shut", draw=gate_shut(1, 1))
def test_partials_shut(answers: Answers) -> None:
    """v <= 0: all partials are 0."""
    answers.agree()
