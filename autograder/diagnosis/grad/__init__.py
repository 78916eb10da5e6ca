"""Mistakes of exercise 02, task by task."""

from autograder.diagnosis.grad.named import NAMED_GRADIENTS
from autograder.diagnosis.grad.partials import ALL_PARTIALS, ONE_AT_A_TIME
from autograder.diagnosis.grad.second_calls import PREDICT_SECOND_CALL
from autograder.diagnosis.grad.unused import GRAD_OR_ZERO
from autograder.diagnosis.grad.upstream import GRADIENT_OF_VECTOR

__all__ = [
    "ALL_PARTIALS",
    "GRADIENT_OF_VECTOR",
    "GRAD_OR_ZERO",
    "NAMED_GRADIENTS",
    "ONE_AT_A_TIME",
    "PREDICT_SECOND_CALL",
]
