"""What is said of an expression that was looked at after a program and has another value than it should."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from autograder.comparison import Difference

COUNTED = {
    r"len\((\w*passes)\)": "the number of backward passes is {got}, expected {expected}",
    r"len\((\w*duals)\)": "the number of runs of forward mode is {got}, expected {expected}",
    r"\w+\.total\(\)": "the number of backward nodes that ran is {got}, expected {expected}",
    r"len\((?P<of>[\w.]+)\.calls\)": "the number of calls of `{of}` is {got}, expected {expected}",
    r"counters\.hooks_on\(\*?(?P<of>.*)\)": "the number of hooks left on `{of}` is {got}, expected {expected}",
    r"\w+\.counts\[['\"](?P<of>\w+)['\"]\]": "the number of runs of the operation `{of}` is {got}, expected {expected}",
    r"len\(\w*passes\) == 0": "a backward pass has run, expected none",
    r"len\(\w*passes\) <= (?P<of>\d+)": "more than {of} backward passes have run",
    r"len\((?P<of>[\w.]+)\.calls\) == 1": "`{of}` has not been called exactly once",
    r"len\((?P<of>[\w.]+)\.calls\) > 0": "`{of}` has never been called",
    r"\w+\.products > 1": "more than one product has been computed",
    r"\w+\.largest < (?P<of>\d+)": "a tensor with {of} elements or more has been made",
}
"""Sentences about what the counters of `probes.counters` show, by patterns of whole expressions."""
FLAGS = {
    ("requires_grad", True): "`{of}` requires no gradient, and should",
    ("requires_grad", False): "`{of}` requires a gradient, and should not",
    ("is_leaf", True): "`{of}` is not a leaf, and should be one",
    ("is_leaf", False): "`{of}` is a leaf, and should not be one",
}
"""Sentences about a tensor's flags, by flag and right value."""


def what_differs(difference: Difference, shown: tuple[str, ...], right: Any, seen: Any, says: Mapping[str, str]) -> str:
    """Return a clause about the place where the values of expressions differ: "`x.grad[0]` is 3, expected 2".

    Args:
        difference: the place begins with the expression, `['x.grad'][0]`.
        shown: the expressions.
        right: their right values.
        seen: those that were seen.
        says: clauses of the task, by expression, in which `*` stands for any text; in a clause `{got}` and `{expected}`
            stand for the values.
    """
    for expression in shown:
        if difference.place.startswith(f"[{expression!r}]"):
            rest = difference.place.removeprefix(f"[{expression!r}]")
            expected = right.get(expression) if isinstance(right, dict) else None
            got = seen.get(expression) if isinstance(seen, dict) else None
            clause = _of_values(expression, expected, got, says)
            return clause or f"`{in_one_index(expression, rest)}` {difference.problem}"
    return f"`{difference.place}` {difference.problem}"


def in_one_index(expression: str, place: str) -> str:
    """Return the place of an entry of an expression, with one index in place of two: `t[3]` for `t[1:][2]`.

    Args:
        expression: may end with a slice, or with a slice for each axis, of which one may be a list.
        place: the entry in it, in Python's notation; it may be empty.
    """
    whole = ast.parse(expression, mode="eval").body
    if isinstance(whole, ast.Subscript) and (entry := re.match(r"\[(\d++(?:, \d++)*+)\]", place)):
        parts = whole.slice.elts if isinstance(whole.slice, ast.Tuple) else [whole.slice]
        given = [int(one) for one in entry[1].split(", ")]
        found = [_entry_of(part, at) for part, at in zip(parts, given, strict=False)]
        if len(parts) <= len(given) and None not in found and sum(isinstance(part, ast.List) for part in parts) < 2:
            index = ", ".join(map(str, [*found, *given[len(parts) :]]))
            return f"{ast.unparse(whole.value)}[{index}]{place[entry.end() :]}"
    return expression + place


def _entry_of(part: ast.expr, at: int) -> int | None:
    """Return which entry of an axis is at a place of a part of it; None if that is not plain."""
    if isinstance(part, ast.List) and at < len(part.elts):
        return _whole(part.elts[at])
    low = _whole(part.lower or ast.Constant(0)) if isinstance(part, ast.Slice) and part.step is None else None
    return None if low is None else low + at


def _whole(node: ast.expr) -> int | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def _of_values(expression: str, expected: Any, got: Any, says: Mapping[str, str]) -> str:
    """Return the clause for two counts, truth values or texts; empty if the values are anything else."""
    if _kind(expected) is None or _kind(got) is not _kind(expected):
        return ""
    if isinstance(expected, list | tuple) and len(got) != len(expected):
        return ""
    values = {"got": _count(got), "expected": _count(expected)}
    for words, clause in says.items():
        hides_a_count = _kind(expected) is int and "{expected}" not in clause
        if not hides_a_count and re.fullmatch(re.escape(words).replace(r"\*", ".*"), expression):
            return clause.format(**values)
    for pattern, clause in COUNTED.items():
        if found := re.fullmatch(pattern, expression):
            return clause.format(**values, **found.groupdict())
    if type(expected) is bool:
        node = ast.parse(expression, mode="eval").body
        if isinstance(node, ast.Attribute) and (node.attr, expected) in FLAGS:
            return FLAGS[node.attr, expected].format(of=ast.unparse(node.value))
        if isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Call):
            return f"`{expression}` " + ("does not hold, and should" if expected else "holds, and should not")
    return ""


def _kind(value: Any) -> type | None:
    """Return what two values must have in common for a clause: counts, texts, truth values, or lists of these."""
    if isinstance(value, list | tuple):
        return list if value and all(_kind(one) in (bool, list) for one in value) else None
    if type(value) is float and value.is_integer():
        return int
    return type(value) if type(value) in (bool, int, str) else None


def _count(value: Any) -> str:
    return f"{value:g}" if type(value) is float else str(value)
