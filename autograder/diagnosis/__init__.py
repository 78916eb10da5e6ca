"""Diagnosis: explain a wrong answer by a mistake that predicts exactly this answer."""

from autograder.diagnosis.explaining import explain
from autograder.diagnosis.hypothesis import Finding, Mistake
from autograder.diagnosis.ideas import Idea

__all__ = ["Finding", "Idea", "Mistake", "explain"]
