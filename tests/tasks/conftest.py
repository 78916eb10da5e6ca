"""Leaves out what is about an exercise that was not chosen, and shares a bench among the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.proving.mutants.bench import Bench
from tests.chosen import CHOOSING, EXERCISES

ABOUT = {
    "test_adversarial_robustness_toolbox.py": "10_adversarial",
    "test_captum.py": "09_cnn",
    "test_clinic.py": "11_clinic",
    "test_custom_functions.py": "06_custom_functions",
    "test_defined_gradients.py": "03_retain_grad",
    "test_digits.py": "09_cnn",
    "test_lesson_12.py": "12_twins",
    "test_predict_twins.py": "12_twins",
    "test_value.py": "01_scalar_graphs",
}
collect_ignore = [name for name, exercise in ABOUT.items() if CHOOSING and exercise not in EXERCISES]


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """A warm sandbox and a judge; a module's own, because a test may change its seed and its patience."""
    with Bench() as one:
        yield one
