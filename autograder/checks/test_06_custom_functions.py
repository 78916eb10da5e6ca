"""Checks of exercise 06: torch.autograd.Function."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws import custom_functions as draws
from autograder.checks.draws import matrix_products, suspects
from autograder.checks.own_nodes import by_its_own_node
from autograder.checks.task import Task
from autograder.comparison import Tolerance
from autograder.diagnosis import custom_functions as mistakes
from autograder.references import custom_functions as reference
from autograder.references import public_cases

EXERCISE = "06_custom_functions"
DRAWS = 1
"""Further programs for each check: each uses the Function in several ways."""


def cases(task: str, group: str) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


CUBE = Task(
    "Cube",
    EXERCISE,
    minutes=12,
    section="A node of your own",
    reference=reference.cube,
    mistakes=mistakes.CUBE,
)


@CUBE.check("value and gradient", points=2, cases=cases("Cube", "first"), draw=draws.cube, draws=DRAWS)
def test_cube(answers: Answers) -> None:
    """Any shape, several applies before one backward."""
    by_its_own_node(answers)


@CUBE.check("second derivative", points=2, cases=cases("Cube", "second"), draw=draws.cube_second, draws=DRAWS)
def test_cube_twice(answers: Answers) -> None:
    """Backward is differentiated with respect to x and to the upstream gradient."""
    by_its_own_node(answers)


EXTRACTOR = Task(
    "GradientExtractor",
    EXERCISE,
    minutes=12,
    section="What to save, and where",
    reference=reference.gradient_extractor,
    mistakes=mistakes.GRADIENT_EXTRACTOR,
)


@EXTRACTOR.check("one element", points=2, cases=cases("GradientExtractor", "one"), draw=draws.extractor, draws=DRAWS)
def test_extractor(answers: Answers) -> None:
    """The upstream gradient at the element's place, zeros elsewhere; x stays as it is."""
    by_its_own_node(answers)


@EXTRACTOR.check(
    "a negative index",
    points=1,
    cases=cases("GradientExtractor", "negative"),
    draw=draws.extractor_negative,
    draws=DRAWS,
)
def test_extractor_negative(answers: Answers) -> None:
    """Counted from the end."""
    by_its_own_node(answers)


@EXTRACTOR.check(
    "several applies before one backward",
    points=1,
    cases=cases("GradientExtractor", "several"),
    draw=draws.extractor_twice,
    draws=DRAWS,
)
def test_extractor_twice(answers: Answers) -> None:
    """Each apply keeps its own index."""
    by_its_own_node(answers)


SOFTPLUS = Task(
    "StableSoftplus",
    EXERCISE,
    minutes=15,
    section="A stable formula",
    reference=reference.stable_softplus,
    mistakes=mistakes.SOFTPLUS,
    tolerance=Tolerance(relative=0.0, of_scale=0.0, absolute=1e-6),
)


@SOFTPLUS.check("value", points=1, cases=cases("StableSoftplus", "value"), draw=draws.softplus_value, draws=DRAWS)
def test_softplus(answers: Answers) -> None:
    """Finite and right from -1000 to 1000."""
    by_its_own_node(answers)


@SOFTPLUS.check(
    "first derivative", points=2, cases=cases("StableSoftplus", "first"), draw=draws.softplus_first, draws=DRAWS
)
def test_softplus_slope(answers: Answers) -> None:
    """The same for the slope."""
    by_its_own_node(answers)


@SOFTPLUS.check(
    "second derivative", points=2, cases=cases("StableSoftplus", "second"), draw=draws.softplus_second, draws=DRAWS
)
def test_softplus_curvature(answers: Answers) -> None:
    """The same for the slope's slope, as autograd finds it in backward."""
    by_its_own_node(answers)


SIGN = Task(
    "StraightThroughSign",
    EXERCISE,
    minutes=10,
    section="Gradients defined, not derived",
    reference=reference.straight_through_sign,
    mistakes=mistakes.STRAIGHT_THROUGH_SIGN,
)


@SIGN.check("forward", points=1, cases=cases("StraightThroughSign", "value"), draw=draws.sign_value, draws=DRAWS)
def test_sign(answers: Answers) -> None:
    """The sign, 0 at 0."""
    by_its_own_node(answers)


@SIGN.check("backward", points=2, cases=cases("StraightThroughSign", "gradient"), draw=draws.sign_gradient, draws=DRAWS)
def test_sign_gradient(answers: Answers) -> None:
    """Straight through the window from -1 to 1, edges included."""
    by_its_own_node(answers)


REVERSAL = Task(
    "GradientReversal",
    EXERCISE,
    minutes=10,
    section="Gradients defined, not derived",
    reference=reference.gradient_reversal,
    mistakes=mistakes.GRADIENT_REVERSAL,
)


@REVERSAL.check(
    "forward as it is, backward reversed",
    points=3,
    cases=cases("GradientReversal", "reversed"),
    draw=draws.reversal,
    draws=DRAWS,
)
def test_reversal(answers: Answers) -> None:
    """Each apply with its own strength."""
    by_its_own_node(answers)


@REVERSAL.check(
    "the upstream gradient left alone",
    points=1,
    cases=cases("GradientReversal", "left alone"),
    draw=draws.reversal_in_a_sum,
    draws=DRAWS,
)
def test_reversal_in_a_sum(answers: Answers) -> None:
    """A neighbour that shares the gradient gets what it should."""
    by_its_own_node(answers)


MAT_MUL = Task(
    "MatMul",
    EXERCISE,
    minutes=20,
    section="Work that nobody needs",
    reference=reference.mat_mul,
    mistakes=mistakes.MAT_MUL,
)


@MAT_MUL.check("two matrices", points=2, cases=cases("MatMul", "matrices"), draw=matrix_products.matrices, draws=DRAWS)
def test_mat_mul(answers: Answers) -> None:
    """The product and both gradients."""
    by_its_own_node(answers)


@MAT_MUL.check(
    "batches, broadcast", points=2, cases=cases("MatMul", "batches"), draw=matrix_products.batches, draws=DRAWS
)
def test_mat_mul_batches(answers: Answers) -> None:
    """A gradient has the shape of its own operand."""
    by_its_own_node(answers)


@MAT_MUL.check(
    "one product for one gradient",
    points=1,
    cases=cases("MatMul", "one product"),
    draw=matrix_products.one_operand,
    draws=DRAWS,
)
def test_mat_mul_thrift(answers: Answers) -> None:
    """What nobody needs is not computed."""
    by_its_own_node(answers)


MAXIMUM = Task(
    "MaxWithIndex",
    EXERCISE,
    minutes=12,
    section="Several outputs",
    reference=reference.max_with_index,
    mistakes=mistakes.MAX_WITH_INDEX,
)


@MAXIMUM.check(
    "maximum, index and gradient", points=2, cases=cases("MaxWithIndex", "maximum"), draw=draws.maximum, draws=DRAWS
)
def test_maximum(answers: Answers) -> None:
    """One maximum."""
    by_its_own_node(answers)


@MAXIMUM.check("ties", points=1, cases=cases("MaxWithIndex", "ties"), draw=draws.tied_maximum, draws=DRAWS)
def test_maximum_ties(answers: Answers) -> None:
    """The first of several takes the gradient."""
    by_its_own_node(answers)


@MAXIMUM.check(
    "the index has no gradient", points=1, cases=cases("MaxWithIndex", "index"), draw=draws.index_alone, draws=DRAWS
)
def test_maximum_index(answers: Answers) -> None:
    """A whole number that requires no gradient."""
    by_its_own_node(answers)


JUDGE = Task(
    "passes_gradcheck",
    EXERCISE,
    minutes=30,
    section="gradcheck and gradgradcheck",
    reference=reference.passes_gradcheck,
    mistakes=mistakes.PASSES_GRADCHECK,
)


@JUDGE.check(
    "one argument",
    points=3,
    cases=cases("passes_gradcheck", "one"),
    draw=suspects.one_argument,
    draws=DRAWS,
    ask=JUDGE.question_once,
)
def test_judge(answers: Answers) -> None:
    """Right ones pass; broken ones do not, even if an upstream gradient of ones hides it."""
    answers.agree()


@JUDGE.check(
    "several arguments",
    points=2,
    cases=cases("passes_gradcheck", "several"),
    draw=suspects.several_arguments,
    draws=DRAWS,
    ask=JUDGE.question_once,
)
def test_judge_of_several(answers: Answers) -> None:
    """Each tensor's gradient counts; plain arguments are handed on."""
    answers.agree()


@JUDGE.check(
    "any shape, any size",
    points=1,
    cases=cases("passes_gradcheck", "shapes"),
    draw=suspects.shapes_and_sizes,
    draws=DRAWS,
    ask=JUDGE.question_once,
)
def test_judge_of_shapes(answers: Answers) -> None:
    """Matrices, single numbers, large and small gradients."""
    answers.agree()
