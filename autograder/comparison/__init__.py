"""Compare an answer with what is right, respecting type, shape, dtype and device."""

from autograder.comparison.differences import Difference, agree, differences
from autograder.comparison.predictions import misshapen, wrong_ones
from autograder.comparison.tolerance import CONTRACT, EXACT, Tolerance
from autograder.comparison.words import as_number, describe

__all__ = [
    "CONTRACT",
    "EXACT",
    "Difference",
    "Tolerance",
    "agree",
    "as_number",
    "describe",
    "differences",
    "misshapen",
    "wrong_ones",
]
