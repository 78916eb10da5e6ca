"""Mistakes of exercise 05, task by task."""

from autograder.diagnosis.elements.broadcasting import UNBROADCAST
from autograder.diagnosis.elements.indexing import GATHER_GRADIENT
from autograder.diagnosis.elements.intermediate import INTERMEDIATE_ELEMENT
from autograder.diagnosis.elements.recurrence import RECURRENCE_GRADIENT
from autograder.diagnosis.elements.same_tensor import SAME_TENSOR
from autograder.diagnosis.elements.total_direct import TOTAL_AND_DIRECT
from autograder.diagnosis.elements.vectorised import VECTORISED_ELEMENT

__all__ = [
    "GATHER_GRADIENT",
    "INTERMEDIATE_ELEMENT",
    "RECURRENCE_GRADIENT",
    "SAME_TENSOR",
    "TOTAL_AND_DIRECT",
    "UNBROADCAST",
    "VECTORISED_ELEMENT",
]
