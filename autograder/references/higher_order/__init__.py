"""References of exercise 08: higher derivatives by autograd in float64; second sources by interpolation."""

from __future__ import annotations

from autograder.references.higher_order import by_autograd, by_interpolation
from autograder.references.replay import program_reference

THROUGH_POINTS = "a polynomial through nine points on each line"

three_derivatives = program_reference(
    "three_derivatives",
    by_autograd.three_derivatives,
    "autograd, one derivative after another",
    by_interpolation.three_derivatives,
    "derivatives of a polynomial through nine points",
)
hessian_vector_product = program_reference(
    "hessian_vector_product",
    by_autograd.hessian_vector_product,
    "autograd: the gradient differentiated with v upstream",
    by_interpolation.hessian_vector_product,
    f"second derivatives along lines, {THROUGH_POINTS}, put together by polarisation",
)
gradient_penalty = program_reference(
    "gradient_penalty",
    by_autograd.gradient_penalty,
    "autograd, differentiated once more by the program",
    by_interpolation.gradient_penalty,
    f"input gradients from {THROUGH_POINTS}; the parameters' by central differences",
)
newton_step = program_reference(
    "newton_step",
    by_autograd.newton_step,
    "autograd row by row, torch's solver",
    by_interpolation.newton_step,
    f"gradient and Hessian from {THROUGH_POINTS}, numpy's solver",
)
gradient_through_a_step = program_reference(
    "gradient_through_a_step",
    by_autograd.gradient_through_a_step,
    "autograd through the step",
    by_interpolation.gradient_through_a_step,
    f"the whole step run again: {THROUGH_POINTS}, for the step and for the result",
)
