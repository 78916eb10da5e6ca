"""value_backward: what is asked; what is right stands in `scalar_programs`."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.task import Task

from ..drawn_graphs import passed, passed_again
from ..scalar_programs import REFERENCE, TOLERANCE
from ..wrong_engines import graph_of_values

TASK = Task(
    __file__,
    minutes=12,
    concepts=("graphs", "accumulation"),
    section="Accumulate gradients in topological order",
    target="Value",
    reference=REFERENCE,
    tolerance=TOLERANCE,
    graph=graph_of_values,
)


@TASK.check("each node after all its uses", points=1, cases="order", draw=passed)
def test_value_order(answers: Answers) -> None:
    """Nodes used several times; equal numbers in different nodes; small and large gradients."""
    answers.agree()


@TASK.check("a second backward", points=1, cases="second", draw=passed_again, draws=2)
def test_value_second_backward(answers: Answers) -> None:
    """Leaves add up over passes, from one output or several."""
    answers.agree()
