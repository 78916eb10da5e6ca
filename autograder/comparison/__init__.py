"""Comparison of an answer with the right one: type, device, shape, dtype, then numbers within a tolerance."""

from autograder.comparison.differences import Difference, agree, differences
from autograder.comparison.predictions import count_wrong, misshapen
from autograder.comparison.tolerance import CONTRACT, EXACT, Tolerance
from autograder.comparison.words import as_number, describe

__all__ = [
    "CONTRACT",
    "EXACT",
    "Difference",
    "Tolerance",
    "agree",
    "as_number",
    "count_wrong",
    "describe",
    "differences",
    "misshapen",
]
