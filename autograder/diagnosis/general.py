"""Mistakes that every task shares: a sign, a factor, another input's gradient.

Each transforms the right answer into the one that the mistake gives.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import torch

from autograder.comparison import as_number
from autograder.diagnosis.hypothesis import CONFIRMED
from autograder.wire.plain import SeenTensor


@dataclasses.dataclass(frozen=True)
class GeneralMistake:
    """A mistake as a change to the right answer.

    Attributes:
        name: short.
        sentence: for the student.
        change: from (expected, got) to what the answer would be, or None where it cannot apply.
    """

    name: str
    sentence: str
    change: Callable[[Any, Any], Any]

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """The answer under this mistake."""
        return self.change(expected, got)


def _map(expected: Any, change: Callable[[Any], Any]) -> Any:
    """`change` on every number of a structure."""
    if isinstance(expected, dict):
        return {key: _map(value, change) for key, value in expected.items()}
    if isinstance(expected, list | tuple):
        return [_map(value, change) for value in expected]
    if isinstance(expected, bool | str) or expected is None:
        return expected
    return change(expected)


def _numbers(structure: Any) -> list[float]:
    if isinstance(structure, dict):
        return [number for value in structure.values() for number in _numbers(value)]
    if isinstance(structure, list | tuple):
        return [number for value in structure for number in _numbers(value)]
    if isinstance(structure, SeenTensor):
        return structure.data.double().reshape(-1).tolist() if not structure.data.is_complex() else []
    if isinstance(structure, torch.Tensor):
        return structure.double().reshape(-1).tolist()
    number = as_number(structure)
    return [] if number is None else [number]


def _constant_factor(expected: Any, got: Any) -> Any:
    """The right answer times the factor that the largest entry shows, where it is a telling one."""
    right, seen = _numbers(expected), _numbers(got)
    if len(right) != len(seen) or not right:
        return None
    largest = max(range(len(right)), key=lambda i: abs(right[i]))
    if not right[largest] or not math.isfinite(seen[largest]):
        return None
    factor = seen[largest] / right[largest]
    if not factor:
        return None
    times = factor if abs(factor) >= 1 else 1 / factor
    whole = round(times)
    if not 2 <= whole <= 1000 or not math.isclose(times, whole, rel_tol=1e-4):
        return None
    return _map(expected, lambda value: value * whole if times == factor else value / whole)


def _not_numbers(expected: Any, got: Any) -> Any:
    seen = _numbers(got)
    return CONFIRMED if any(map(math.isnan, seen)) else None


def _another_name(expected: Any, got: Any) -> Any:
    """Confirmed where the student's dict holds the right numbers under other keys."""
    if not isinstance(expected, dict) or not isinstance(got, dict) or len(expected) < 2:
        return None
    right = [as_number(value) for value in expected.values()]
    seen = [as_number(got.get(key)) for key in expected]
    if None in right or None in seen or len(set(right)) < 2:
        return None
    same = all(math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-9) for a, b in zip(sorted(right), sorted(seen), strict=True))
    return got if same else None


GENERAL = (
    GeneralMistake(
        "not a number",
        "The answer contains nan. Somewhere 0 was divided by 0, or infinity met infinity; print the values "
        "on the way to see where nan begins.",
        _not_numbers,
    ),
    GeneralMistake(
        "sign",
        "Every number has the right size and the wrong sign. Look for a minus that is missing or one too many.",
        lambda expected, got: _map(expected, lambda value: -value),
    ),
    GeneralMistake(
        "under another name",
        "The numbers are right, but under each other's names. Check which answer belongs to which key.",
        _another_name,
    ),
    GeneralMistake(
        "always zero",
        "Every number is 0. Was the result ever written, or is a gate shut that should be open?",
        lambda expected, got: _map(expected, lambda value: value * 0),
    ),
    GeneralMistake(
        "a constant factor",
        "Every number is off by the same whole factor. Something was added up more than once, or a sum "
        "stands where a mean belongs, or the other way round.",
        _constant_factor,
    ),
    GeneralMistake(
        "absolute value",
        "The sizes are right, the signs are lost. Where was the absolute value taken?",
        lambda expected, got: _map(expected, abs),
    ),
)
