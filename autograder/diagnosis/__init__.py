"""Diagnosis: explain a wrong answer by a mistake that predicts exactly this answer."""

from autograder.diagnosis.explaining import explain
from autograder.diagnosis.hypothesis import Finding, Mistake

__all__ = ["Finding", "Mistake", "explain"]
