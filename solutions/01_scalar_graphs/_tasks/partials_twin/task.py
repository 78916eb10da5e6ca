"""partials_twin: what is right, from two sources, and what is asked."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.task import Task
from autograder.references import Reference

from ..shared import TOY, gate_open, gate_shut, partials_by_autograd, partials_exactly

REFERENCE = Reference(
    partials_by_autograd(2, 5, 3),
    "autograd in float64",
    partials_exactly(2, 5, 3),
    "exact rational numbers",
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("graphs", "gates"),
    section="Swapped names: a twin with distinct partials",
    reference=REFERENCE,
    graph=lambda *inputs: (TOY, {"backwards": True}),
)


@TASK.check("the gate open", points=2, cases="open", draw=with_ends(gate_open(2, 5)))
def test_twin_open(answers: Answers) -> None:
    """v > 0: five different numbers."""
    answers.agree()


@TASK.check("the gate shut, or at its edge", points=1, cases="shut", draw=gate_shut(2, 5))
def test_twin_shut(answers: Answers) -> None:
    """v <= 0 with the twin's own v."""
    answers.agree()
