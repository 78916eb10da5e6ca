"""Diagnosis: explain a wrong answer by a mistake that predicts exactly this answer."""

from autograder.diagnosis.hypothesis import Finding, Mistake, explain

__all__ = ["Finding", "Mistake", "explain"]
