"""Checks of exercise 08: derivatives of derivatives, and losses and steps that contain them."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws import critics
from autograder.checks.draws import higher_order as draws
from autograder.checks.task import Task
from autograder.diagnosis import higher_order as mistakes
from autograder.references import higher_order as reference
from autograder.references import public_cases

EXERCISE = "08_higher_order"
INVERSIONS = ('run.counts["linalg_inv_ex"]', 'run.counts["linalg_pinv"]')
"""What torch's inverses are called where operations are counted."""


def cases(task: str, group: str) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


THREE = Task(
    "three_derivatives",
    EXERCISE,
    minutes=12,
    section="One derivative after another",
    reference=reference.three_derivatives,
    mistakes=mistakes.THREE_DERIVATIVES,
)


@THREE.check("the three", points=2, cases=cases("three_derivatives", "curves"), draw=draws.three_derivatives)
def test_three_derivatives(answers: Answers) -> None:
    """Functions that can be differentiated on and on."""
    answers.agree()


@THREE.check(
    "zeros where nothing is left",
    points=2,
    cases=cases("three_derivatives", "ending"),
    draw=draws.ending_derivatives,
)
def test_three_derivatives_of_functions_whose_derivatives_end(answers: Answers) -> None:
    """Linear and quadratic ones, with and without tensors of their own."""
    answers.agree()


@THREE.check("x as it was", points=1, cases=cases("three_derivatives", "as found"))
def test_three_derivatives_leaves_x_as_found(answers: Answers) -> None:
    """The caller's tensor is no leaf of the function."""
    answers.agree()


PRODUCT = Task(
    "hessian_vector_product",
    EXERCISE,
    minutes=14,
    section="Hessian-vector products",
    reference=reference.hessian_vector_product,
    mistakes=mistakes.HESSIAN_VECTOR_PRODUCT,
)


@PRODUCT.check(
    "the product",
    points=2,
    cases=cases("hessian_vector_product", "product"),
    draw=draws.hessian_vector_product,
)
def test_hessian_vector_product(answers: Answers) -> None:
    """H v in the shape of x."""
    answers.agree()


@PRODUCT.check("a linear function", points=1, cases=cases("hessian_vector_product", "linear"), draw=draws.flat)
def test_hessian_vector_product_of_a_linear_function(answers: Answers) -> None:
    """Zeros."""
    answers.agree()


@PRODUCT.check("without the matrix", points=2, cases=cases("hessian_vector_product", "cost"))
def test_hessian_vector_product_without_the_matrix(answers: Answers) -> None:
    """One call, few passes, no tensor that grows with the square of the size."""
    answers.agree()


PENALTY = Task(
    "gradient_penalty",
    EXERCISE,
    minutes=25,
    section="A loss that contains a gradient",
    reference=reference.gradient_penalty,
    mistakes=mistakes.GRADIENT_PENALTY,
)


@PENALTY.check(
    "the number",
    points=2,
    cases=cases("gradient_penalty", "number"),
    draw=critics.gradient_penalty("result"),
)
def test_gradient_penalty(answers: Answers) -> None:
    """Vectors and images, outputs of either shape."""
    answers.agree()


@PENALTY.check(
    "its gradient",
    points=2,
    cases=cases("gradient_penalty", "gradient"),
    draw=critics.gradient_penalty("result.requires_grad", "gradient"),
)
def test_gradient_penalty_has_a_graph_to_the_parameters(answers: Answers) -> None:
    """What a training step would use."""
    answers.agree()


@PENALTY.check(
    "a sample with gradient 0",
    points=2,
    cases=cases("gradient_penalty", "zero"),
    draw=critics.flat_sample,
)
def test_gradient_penalty_where_a_gradient_is_zero(answers: Answers) -> None:
    """It counts 1, and no nan comes back."""
    answers.agree()


@PENALTY.check("the critic as it was", points=1, cases=cases("gradient_penalty", "as found"))
def test_gradient_penalty_leaves_the_critic_as_found(answers: Answers) -> None:
    """`.grad`, modes, X."""
    answers.agree()


NEWTON = Task(
    "newton_step",
    EXERCISE,
    minutes=14,
    section="Newton's method",
    reference=reference.newton_step,
    mistakes=mistakes.NEWTON_STEP,
)


@NEWTON.check(
    "where it leads",
    points=3,
    cases=cases("newton_step", "step"),
    draw=draws.newton_step("result"),
)
def test_newton_step(answers: Answers) -> None:
    """To minima, maxima and saddles."""
    answers.agree()


@NEWTON.check(
    "solved and detached",
    points=2,
    cases=cases("newton_step", "solved"),
    draw=draws.newton_step(
        "result", "result.requires_grad", 'run.counts["linalg_inv_ex"]', 'run.counts["linalg_pinv"]'
    ),
)
def test_newton_step_by_solving(answers: Answers) -> None:
    """No inverse; no graph behind the result."""
    answers.agree()


STEP = Task(
    "gradient_through_a_step",
    EXERCISE,
    minutes=12,
    section="Through a step of training",
    reference=reference.gradient_through_a_step,
    mistakes=mistakes.GRADIENT_THROUGH_A_STEP,
)


@STEP.check(
    "both parts of the gradient",
    points=3,
    cases=cases("gradient_through_a_step", "both"),
    draw=draws.gradient_through_a_step,
)
def test_gradient_through_a_step(answers: Answers) -> None:
    """Through the start of the step, and through its gradient."""
    answers.agree()


@STEP.check("steps that bend nothing, and w as it was", points=1, cases=cases("gradient_through_a_step", "straight"))
def test_gradient_through_a_step_on_a_linear_loss(answers: Answers) -> None:
    """The step's gradient is a constant; a rate of 0."""
    answers.agree()
