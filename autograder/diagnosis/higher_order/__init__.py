"""Mistakes of exercise 08, task by task."""

from autograder.diagnosis.higher_order.derivatives import THREE_DERIVATIVES
from autograder.diagnosis.higher_order.newton import NEWTON_STEP
from autograder.diagnosis.higher_order.penalties import GRADIENT_PENALTY
from autograder.diagnosis.higher_order.products import HESSIAN_VECTOR_PRODUCT
from autograder.diagnosis.higher_order.steps import GRADIENT_THROUGH_A_STEP

__all__ = [
    "GRADIENT_PENALTY",
    "GRADIENT_THROUGH_A_STEP",
    "HESSIAN_VECTOR_PRODUCT",
    "NEWTON_STEP",
    "THREE_DERIVATIVES",
]
