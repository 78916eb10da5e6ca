"""Predictions by case: whether an answer has their form, and how many are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.comparison.differences import Difference, agree
from autograder.comparison.tolerance import Tolerance
from autograder.comparison.words import as_number, describe, keys

KINDS = {bool: "True or False", float: "a number", str: "a text", dict: "a dict", list: "a sequence"}
INSIDE = KINDS | {float: "numbers", str: "texts", dict: "dicts", list: "sequences"}


def misshapen(got: Any, expected: dict[str, Any], length: int | None = None) -> Difference | None:
    """Return the first place where an answer is not shaped like predictions, without telling which are right.

    Args:
        got: as `wire.plain.decode` makes it.
        expected: the right predictions by case. A type that occurs in one case is allowed in every case.
        length: how many items each prediction has, if that gives nothing away.
    """
    if not isinstance(got, dict):
        return Difference("", f"is {describe(got)}, expected a dict with the keys {keys(expected)}")
    allowed = {found for value in expected.values() for found, _ in _kinds(value)}
    for case in expected:
        if case not in got:
            return Difference("", f"lacks the key {case!r}; its keys are {keys(got)}")
        place, prediction = f"[{case!r}]", got[case]
        for (depth, kind), part in _kinds(prediction):
            if (depth, kind) not in allowed:
                return Difference(place, f"{'holds' if depth else 'is'} {describe(part)}, expected {_form(allowed)}")
        if length is not None and len(prediction) != length:
            return Difference(place, f"is {describe(prediction)}, expected a sequence of {length}")
    return None


def count_wrong(got: dict[str, Any], expected: dict[str, Any], tolerance: Tolerance) -> int:
    """Count the predictions that are wrong."""
    return sum(not agree(got[case], value, tolerance) for case, value in expected.items())


def _kinds(value: Any, depth: int = 0) -> Iterator[tuple[tuple[int, type], Any]]:
    """Yield ((depth, type), part) for each part of a prediction."""
    kind = next((one for one in (bool, str, dict) if isinstance(value, one)), type(value))
    kind = list if isinstance(value, tuple) else kind if as_number(value) is None else float
    yield (depth, kind), value
    for part in value.values() if kind is dict else value if kind is list else ():
        yield from _kinds(part, depth + 1)


def _form(allowed: set[tuple[int, type]]) -> str:
    """Describe the form of a prediction: "a sequence of True or False"."""
    levels = [
        " or ".join(sorted((INSIDE if level else KINDS).get(kind, "None") for depth, kind in allowed if depth == level))
        for level in sorted({depth for depth, _ in allowed})
    ]
    return " of ".join(levels)
