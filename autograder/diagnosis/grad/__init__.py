"""Mistakes of exercise 02, task by task."""

from autograder.diagnosis.grad.partials import ALL_PARTIALS

__all__ = ["ALL_PARTIALS"]
