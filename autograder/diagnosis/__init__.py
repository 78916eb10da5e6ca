"""Diagnosis: why a wrong answer is wrong, as hypotheses that predict it."""

from autograder.diagnosis.hypothesis import Finding, Mistake, explain

__all__ = ["Finding", "Mistake", "explain"]
