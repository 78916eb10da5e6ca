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


def constant_factor(expected: Any, got: Any) -> Any:
    """Scale the right answer by the factor of its largest entry, if that is a whole number from 2 to 1000 or 1 over it.

    Returns:
        None if the factor is anything else, which no single mistake explains, and for counts.
    """
    right, seen = numbers_of(expected), numbers_of(got)
    if _is_count(expected) or len(right) != len(seen) or not right:
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
    return each_number(expected, lambda value: value * whole if times == factor else value / whole)
