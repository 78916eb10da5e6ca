"""Predictions, case by case: how many are wrong, and what keeps them from being read as predictions at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.comparison.differences import Difference, agree
from autograder.comparison.tolerance import Tolerance
from autograder.comparison.words import as_number, describe, keys

KINDS = {bool: "True or False", float: "a number", str: "a text", dict: "a dict", list: "a sequence"}
INSIDE = KINDS | {float: "numbers", str: "texts", dict: "dicts", list: "sequences"}


def misshapen(got: Any, expected: dict, length: int | None = None) -> Difference | None:
    """The first place where an answer has not the form of predictions; says nothing about which are right.

    Args:
        got: as `wire.plain.decode` makes it.
        expected: the right predictions by case. What may stand in one case may stand in every case.
        length: how many items each prediction has, where that gives nothing away.
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


def wrong_ones(got: dict, expected: dict, tolerance: Tolerance) -> int:
    """How many of the predictions are wrong."""
    return sum(not agree(got[case], value, tolerance) for case, value in expected.items())


def _kinds(value: Any, depth: int = 0) -> Iterator[tuple[tuple[int, type], Any]]:
    """Each part of a prediction, with its depth and kind in front."""
    kind = next((one for one in (bool, str, dict) if isinstance(value, one)), type(value))
    kind = list if isinstance(value, tuple) else kind if as_number(value) is None else float
    yield (depth, kind), value
    for part in value.values() if kind is dict else value if kind is list else ():
        yield from _kinds(part, depth + 1)


def _form(allowed: set[tuple[int, type]]) -> str:
    """What a prediction looks like: "a sequence of True or False"."""
    levels = [
        " or ".join(sorted((INSIDE if level else KINDS).get(kind, "None") for depth, kind in allowed if depth == level))
        for level in sorted({depth for depth, _ in allowed})
    ]
    return " of ".join(levels)
