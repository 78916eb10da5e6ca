"""General mistakes that change right numbers: a sign, a factor, zero, nan.

Each function returns what the answer would be under its mistake, or None if the mistake does not apply.
"""

from __future__ import annotations

import math
from typing import Any

from autograder.diagnosis.hypothesis import CONFIRMED
from autograder.diagnosis.structures import each_number, numbers_of


def not_a_number(expected: Any, got: Any) -> Any:
    """Return CONFIRMED if the answer contains nan."""
    return CONFIRMED if any(map(math.isnan, numbers_of(got))) else None


def sign(expected: Any, got: Any) -> Any:
    """Flip the sign of every number."""
    return each_number(expected, lambda value: -value)


def zero(expected: Any, got: Any) -> Any:
    """Set every number to 0; None if all are counts, because a count of 0 means that nothing ran."""
    return None if _is_count(expected) else each_number(expected, lambda value: value * 0)


def _is_count(expected: Any) -> bool:
    if isinstance(expected, dict):
        return all(map(_is_count, expected.values()))
    return type(expected) is int


def absolute(expected: Any, got: Any) -> Any:
    """Take the absolute value of every number."""
    return each_number(expected, abs)


def multiplied(expected: Any, got: Any) -> Any:
    """Multiply the right answer by the factor of its largest entry, if that is a whole number from 2 to 1000."""
    whole = _whole(_factor(expected, got))
    return None if whole is None else each_number(expected, lambda value: value * whole)


def divided(expected: Any, got: Any) -> Any:
    """Divide the right answer by a whole number from 2 to 1000, if its largest entry was divided by that."""
    factor = _factor(expected, got)
    whole = _whole(1 / factor) if factor else None
    return None if whole is None else each_number(expected, lambda value: value / whole)


def _factor(expected: Any, got: Any) -> float:
    """Return the ratio of the numbers where the right one is largest; 0 if there is none, and for counts."""
    right, seen = numbers_of(expected), numbers_of(got)
    if _is_count(expected) or len(right) != len(seen) or not right:
        return 0.0
    largest = max(range(len(right)), key=lambda i: abs(right[i]))
    return seen[largest] / right[largest] if right[largest] and math.isfinite(seen[largest]) else 0.0


def _whole(times: float) -> int | None:
    whole = round(times) if math.isfinite(times) else 0
    return whole if 2 <= whole <= 1000 and math.isclose(times, whole, rel_tol=1e-4) else None
