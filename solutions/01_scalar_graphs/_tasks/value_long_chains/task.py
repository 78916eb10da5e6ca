"""value_long_chains: what is asked; what is right stands in `scalar_programs`."""

from __future__ import annotations

from random import Random

from autograder.checks.answers import Answers
from autograder.checks.task import Task
from autograder.probes.programs import Program

from ..drawn_graphs import passed, passed_again
from ..scalar_programs import PLUS, REFERENCE, SCALED, TOLERANCE

TASK = Task(
    __file__,
    minutes=8,
    concepts=("graphs",),
    section="Long chains: ten thousand nodes",
    target="Value",
    reference=REFERENCE,
    tolerance=TOLERANCE,
)


def diamonds(source: Random) -> tuple[Program]:
    """Forty diamonds, each with a short and a long arm, in either order."""
    first = round(source.uniform(0.2, 0.8), 2)
    arms = source.sample([f"scaled(p, {first})", f"scaled(scaled(p, -2.0), {round((first - 0.95) / 2, 3)})"], 2)
    text = f"""{PLUS}{SCALED}def diamond(p):
    return plus({", ".join(arms)})


x = Value({round(source.uniform(-3, 3), 2)})
m = x
for _ in range(20):
    m = diamond(m)
y = m
for _ in range(20):
    y = diamond(y)
y.backward()
"""
    return (Program(text, ("x.grad", "m.grad", "y.grad")),)


@TASK.check("40 diamonds in a row", points=1, cases="diamonds", draw=[diamonds, passed, passed_again])
def test_value_diamonds(answers: Answers) -> None:
    """2 ** 40 paths and 121 nodes, and what the task before asks, since this `backward` takes the place of its own."""
    answers.agree()


@TASK.check("a chain of 10,000 nodes", points=1, cases="chain", ask=TASK.question_once)
def test_value_long_chain(answers: Answers) -> None:
    """Deeper than Python's recursion limit."""
    answers.agree()
