"""Mistakes of exercise 06, task by task."""

from autograder.diagnosis.custom_functions.defined import GRADIENT_REVERSAL, STRAIGHT_THROUGH_SIGN
from autograder.diagnosis.custom_functions.elementwise import CUBE, SOFTPLUS
from autograder.diagnosis.custom_functions.functions import NOT_A_FUNCTION
from autograder.diagnosis.custom_functions.judges import PASSES_GRADCHECK
from autograder.diagnosis.custom_functions.products import MAT_MUL
from autograder.diagnosis.custom_functions.selections import GRADIENT_EXTRACTOR, MAX_WITH_INDEX

__all__ = [
    "CUBE",
    "GRADIENT_EXTRACTOR",
    "GRADIENT_REVERSAL",
    "MAT_MUL",
    "MAX_WITH_INDEX",
    "NOT_A_FUNCTION",
    "PASSES_GRADCHECK",
    "SOFTPLUS",
    "STRAIGHT_THROUGH_SIGN",
]
