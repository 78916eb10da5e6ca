"""value_arithmetic: what is asked; what is right stands in `scalar_programs`."""

from __future__ import annotations

from random import Random

from autograder.checks.answers import Answers
from autograder.checks.task import Task
from autograder.probes.programs import Program

from ..scalar_programs import REFERENCE, TOLERANCE, large, small
from ..wrong_engines import graph_of_values

TASK = Task(
    __file__,
    minutes=20,
    concepts=("graphs",),
    section="Operator overloading and local derivatives",
    target="Value",
    reference=REFERENCE,
    tolerance=TOLERANCE,
    graph=graph_of_values,
)


def between_nodes(source: Random) -> tuple[Program]:
    """Each operator with a moderate, a small and a large operand of either sign on the right, and powers."""
    moderate = round(source.uniform(0.3, 3), 2)
    leaves = {"a": moderate, "b": round(-moderate - 0.4, 2), "c": small(source), "d": large(source)}
    pairs = zip("+-*/", source.sample([*leaves], 4), source.sample([*leaves], 4), strict=True)
    nodes = [f"{left} {operator} {right}" for operator, left, right in pairs]
    nodes += [f"{source.choice('ab')} / {right}" for right in source.sample("bcd", 2)]
    nodes += ["-b", f"a ** {source.choice('ab')}", f"b ** {source.choice((-3, -2, 2, 3))}", "d * d", "c / c"]
    return (_program(source, leaves, nodes),)


def with_numbers(source: Random) -> tuple[Program]:
    """Each operator with a number on either side."""
    leaves = {"a": round(source.uniform(0.3, 3), 2), "b": source.choice((small, large))(source)}
    nodes = [f"{source.choice('ab')} {operator} {source.choice((small, large))(source)}" for operator in "+-*/"]
    nodes += [f"{source.choice((small, large))(source)} {operator} {source.choice('ab')}" for operator in "+-*/"]
    nodes += [f"a ** {source.choice((-2.5, -1, 1.5, 3))}", f"{source.uniform(0.3, 3):.2f} ** a"]
    return (_program(source, leaves, nodes),)


def _program(source: Random, leaves: dict[str, float], nodes: list[str]) -> Program:
    """The leaves, these nodes, and one that adds up everything, each node times a small or a large number."""
    named = {f"n{at}": node for at, node in enumerate(source.sample(nodes, len(nodes)))}
    lines = [f"{name} = Value({data})" for name, data in leaves.items()]
    lines += [f"{name} = {node}" for name, node in named.items()]
    terms = [f"{name} * {source.choice((small, large))(source)}" for name in named]
    lines.append(f"y = {' + '.join([*terms, *leaves])}")
    shown = [f"{name}.{what}" for name in (*named, "y") for what in ("data", *map("derivative({})".format, leaves))]
    return Program("\n".join(lines) + "\n", tuple(shown))


@TASK.check("operators between nodes", points=2, cases="operators", draw=between_nodes)
def test_value_operators(answers: Answers) -> None:
    """+ - * / ** and unary minus between nodes."""
    answers.agree()


@TASK.check("numbers on either side", points=1, cases="numbers", draw=with_numbers, draws=2)
def test_value_numbers(answers: Answers) -> None:
    """Plain numbers as operands, left and right."""
    answers.agree()


@TASK.check("a base of 0", points=1, cases="zero")
def test_value_zero(answers: Answers) -> None:
    """0 ** 0 is 1, with slope 0."""
    answers.agree()
