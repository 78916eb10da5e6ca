"""References of exercise 05: one element of a tensor."""

from autograder.references.elements.derivatives import (
    intermediate_element,
    same_tensor,
    total_and_direct,
    vectorised_element,
)
from autograder.references.elements.recurrence import recurrence_gradient
from autograder.references.elements.transposes import gather_gradient, unbroadcast

__all__ = [
    "gather_gradient",
    "intermediate_element",
    "recurrence_gradient",
    "same_tensor",
    "total_and_direct",
    "unbroadcast",
    "vectorised_element",
]
