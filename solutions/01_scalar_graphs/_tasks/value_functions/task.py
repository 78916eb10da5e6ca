"""value_functions: what is asked; what is right stands in `scalar_programs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from autograder.checks.answers import Answers
from autograder.checks.task import Task
from autograder.probes.programs import Program

from ..scalar_programs import REFERENCE, TOLERANCE, large, small
from ..wrong_engines import graph_of_values

TASK = Task(
    __file__,
    minutes=6,
    concepts=("graphs", "gates"),
    section="Operator overloading and local derivatives",
    target="Value",
    reference=REFERENCE,
    tolerance=TOLERANCE,
    graph=graph_of_values,
)


def smooth(source: Random) -> tuple[Program]:
    """exp with a large and a small slope, log likewise, tanh on either side, and functions of functions."""
    steep, bent = round(source.uniform(5, 9), 2), round(source.uniform(0.2, 2), 2)
    calls = {"exp()": (steep, -steep), "log()": (abs(small(source)), abs(large(source))), "tanh()": (bent, -bent)}
    calls |= {"exp().log()": (steep,), "tanh().exp()": (-bent,), "exp().tanh()": (-steep,)}
    return (_program(source, calls),)


def relus(source: Random) -> tuple[Program]:
    """relu of small and large numbers of either sign."""
    ones = [abs(small(source)), abs(large(source)), -abs(small(source)), -abs(large(source))]
    return (_program(source, {"relu()": source.sample(ones, 4), "relu().relu()": source.sample(ones, 2)}),)


def _program(source: Random, calls: Mapping[str, Sequence[float]]) -> Program:
    """For each call and number a node, and another that uses it and the number, with a large or a small factor."""
    lines, shown = [], []
    for at, (call, data) in enumerate((call, data) for call, several in calls.items() for data in several):
        by = source.choice((small, large))(source)
        lines += [
            f"a{at} = Value({data})",
            f"b{at} = a{at}.{call}",
            f"c{at} = Value({by} * b{at}.data + a{at}.data, [(b{at}, {by}), (a{at}, 1.0)])",
        ]
        shown += [f"{node}{at}.{what}" for node in "bc" for what in ("data", f"derivative(a{at})")]
    return Program("\n".join(lines) + "\n", tuple(shown))


@TASK.check("exp, log and tanh", points=1, cases="functions", draw=smooth, draws=2)
def test_value_functions(answers: Answers) -> None:
    """exp, log and tanh, with slopes small and large."""
    answers.agree()


@TASK.check("relu", points=1, cases="relu", draw=relus, draws=2)
def test_value_relu(answers: Answers) -> None:
    """relu on both sides and at 0."""
    answers.agree()
