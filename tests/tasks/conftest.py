"""Leaves out what is about an exercise that was not chosen."""

from __future__ import annotations

from tests.chosen import CHOOSING, EXERCISES

ABOUT = {
    "test_adversarial_robustness_toolbox.py": "10_adversarial",
    "test_captum.py": "09_cnn",
    "test_clinic.py": "11_clinic",
    "test_custom_functions.py": "06_custom_functions",
    "test_defined_gradients.py": "03_retain_grad",
    "test_digits.py": "09_cnn",
    "test_lesson_12.py": "12_twins",
    "test_value.py": "01_scalar_graphs",
}
collect_ignore = [name for name, exercise in ABOUT.items() if CHOOSING and exercise not in EXERCISES]
