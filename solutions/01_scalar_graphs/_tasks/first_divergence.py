"""The operation at which an engine's numbers first go wrong, read from what a program shows.

A program's lines make nodes with operators and functions and show `y.data` and `y.derivative(a)` of some of them. The
first node, in the order of the lines, with a wrong number accuses the operations that made it: those of its own line,
and of the lines before it whose nodes are not shown. Where every wrong answer accuses one operation, that is the one.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from typing import Any

from autograder.comparison import agree
from autograder.diagnosis import Mistake
from autograder.diagnosis.hypothesis import CONFIRMED, POSSIBLE
from autograder.wire.plain import Absent

OPERATIONS = {
    ast.Add: "addition",
    ast.Sub: "subtraction",
    ast.Mult: "multiplication",
    ast.Div: "division",
    ast.Pow: "power",
    ast.USub: "negation",
}
NUMBER, DERIVATIVE = "wrong number", "wrong local derivative"
UNSEEN = "its derivative, and its number is not shown"
SHOWN = re.compile(r"(\w+)\.(data|derivative\(\w+\))")


class FirstDivergence(Mistake):
    """An operation that every wrong answer accuses."""

    def __init__(self, operation: str, what: str, sentence: str) -> None:
        super().__init__(f"{operation}: {what}", sentence)
        self._operation, self._what = operation, what

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return CONFIRMED if the first wrong number accuses this operation alone, POSSIBLE if it may be another."""
        both = isinstance(expected, dict) and isinstance(got, dict)
        wrong = _wrong(expected, got) if both else []
        if not wrong:
            return None
        if any(isinstance(got.get(key), Absent) for key in wrong):
            return POSSIBLE  # an exception accuses the line that raised it
        operations, what, shared = accused(inputs[0].text, tuple(wrong), tuple(expected))
        if self._operation not in operations or (self._what == DERIVATIVE and what == NUMBER):
            return None
        # A wrong operation may give a right number by chance, but a right one never a wrong number. Where several ways
        # lead from a node to the other, what adds them up may be wrong in its place.
        sure = len(operations) == 1 and not shared and (what == NUMBER or self._what == DERIVATIVE)
        return CONFIRMED if sure else POSSIBLE


class WaysMeet(Mistake):
    """The mistake of not adding up what several ways to a node give, seen where only such derivatives are wrong."""

    def __init__(self) -> None:
        super().__init__(
            "ways not added up",
            "Only derivatives with respect to a node that is used more than once are wrong. The contributions of its "
            "uses must add up, and none may replace another.",
        )

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return CONFIRMED if every wrong number is a derivative along several ways."""
        both = isinstance(expected, dict) and isinstance(got, dict)
        wrong = _wrong(expected, got) if both else []
        asked = [re.fullmatch(r"(\w+)\.derivative\((\w+)\)", key) for key in wrong]
        lines = _lines(inputs[0].text) if asked else {}
        return CONFIRMED if asked and all(one and _ways(one[1], one[2], lines) > 1 for one in asked) else None


def _wrong(expected: dict[str, Any], got: dict[str, Any]) -> list[str]:
    return [key for key, right in expected.items() if not agree(got.get(key), right)]


def divergences(*operations: str) -> Iterator[Mistake]:
    """The mistakes of some operations, for every engine."""
    for operation in operations:
        look = f"Look at {operation}: "
        yield FirstDivergence(operation, NUMBER, f"{look}the first wrong number belongs to a node that it made.")
        yield FirstDivergence(
            operation,
            DERIVATIVE,
            f"{look}the first wrong derivative belongs to a node that it made, whose number is right.",
        )
    yield WaysMeet()


@functools.lru_cache(4096)
def accused(text: str, wrong: tuple[str, ...], shown: tuple[str, ...]) -> tuple[frozenset[str], str, bool]:
    """Return the operations that the first wrong node of a program accuses, and what is wrong about the node.

    The last is whether every wrong derivative of the node is one to which several ways lead.

    Args:
        text: the program's.
        wrong: those of the shown expressions that are wrong.
        shown: all of them.
    """
    lines = _lines(text)
    found = {match[1]: match[2] for one in reversed(wrong) if (match := SHOWN.fullmatch(one))}
    first = next((name for name in lines if name in found), None)
    if first is None:
        return frozenset(), UNSEEN, False
    number = f"{first}.data"
    what = NUMBER if number in wrong else DERIVATIVE if number in shown else UNSEEN
    right = {match[1] for one in shown if (match := SHOWN.fullmatch(one))} - set(found)
    asked = [match[1] for one in wrong if (match := re.fullmatch(rf"{first}\.derivative\((\w+)\)", one))]
    shared = bool(asked) and what != NUMBER and all(_ways(first, to, lines) > 1 for to in asked)
    return frozenset(_operations(lines[first], lines, right | {first})), what, shared


def _lines(text: str) -> dict[str, ast.expr]:
    """Return what a program binds to each name, also where one line binds several."""
    return {
        target.id: value
        for line in ast.parse(text).body
        if isinstance(line, ast.Assign)
        for bound in line.targets
        for target, value in zip(_parts(bound), _parts(line.value), strict=False)
        if isinstance(target, ast.Name)
    }


def _parts(of: ast.expr) -> list[ast.expr]:
    return of.elts if isinstance(of, ast.Tuple) else [of]


def _ways(name: str, to: str, lines: dict[str, ast.expr]) -> int:
    """Count the ways from a node to another through the lines of a program."""
    places = {one: place for place, one in enumerate(lines)}

    @functools.cache
    def ways(one: str) -> int:
        if one == to or one not in lines:
            return int(one == to)
        return sum(ways(other) for other in _inputs(lines[one]) if places.get(other, -1) < places[one])

    return ways(name)


def _inputs(made: ast.expr) -> list[str]:
    """Return the names that a node is made from, one for each use; of `Value(data, inputs)`, those of its inputs."""
    match made:
        case ast.Call(func=ast.Name(), args=[_, ast.List(elts=pairs)]):
            of = [pair.elts[0] for pair in pairs if isinstance(pair, ast.Tuple)]
        case _:
            of = [made]
    return [node.id for one in of for node in ast.walk(one) if isinstance(node, ast.Name)]


def _operations(made: ast.expr, lines: dict[str, ast.expr], known: set[str]) -> Iterator[str]:
    """Yield the operations of a line, and of the lines of those nodes in it about which nothing is known."""
    for node in ast.walk(made):
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            continue  # a negative number
        if isinstance(node, ast.BinOp | ast.UnaryOp):
            yield OPERATIONS.get(type(node.op), "")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr
        elif isinstance(node, ast.Name) and node.id in lines and node.id not in known:
            yield from _operations(lines[node.id], lines, known | {node.id})
