"""Checks of exercise 02: torch.autograd.grad."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws import grad as draws
from autograder.checks.graphs import graph_of_program
from autograder.checks.task import Task
from autograder.diagnosis import grad as mistakes
from autograder.references import grad as reference
from autograder.references import public_cases

EXERCISE = "02_grad"
LEAVES = ("x.grad", "w.grad", "b.grad")


def cases(task: str, group: str | None = None) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


ONE_AT_A_TIME = Task(
    "one_at_a_time",
    EXERCISE,
    minutes=8,
    section="One pass against many",
    reference=reference.one_at_a_time,
    mistakes=mistakes.ONE_AT_A_TIME,
    graph=graph_of_program("one_at_a_time"),
)


@ONE_AT_A_TIME.check(
    "every partial, returned and not stored",
    points=2,
    cases=cases("one_at_a_time", "values"),
    draw=draws.partials("one_at_a_time", "result", *LEAVES),
)
def test_one_at_a_time(answers: Answers) -> None:
    """A tuple in the order of the nodes; `.grad` stays None."""
    answers.agree()


@ONE_AT_A_TIME.check(
    "one backward pass for each node",
    points=1,
    cases=cases("one_at_a_time", "passes"),
    draw=draws.partials("one_at_a_time", "len(passes)", "runs.total()"),
)
def test_one_at_a_time_in_many_passes(answers: Answers) -> None:
    """As many passes as nodes, and what they run."""
    answers.agree()


ALL_PARTIALS = Task(
    "all_partials",
    EXERCISE,
    minutes=8,
    section="One output, many nodes",
    reference=reference.all_partials,
    mistakes=mistakes.ALL_PARTIALS,
    graph=graph_of_program("all_partials"),
)


@ALL_PARTIALS.check(
    "every partial, returned and not stored",
    points=2,
    cases=cases("all_partials", "values"),
    draw=draws.partials("all_partials", "result", *LEAVES),
)
def test_all_partials(answers: Answers) -> None:
    """A tuple in the order of the nodes; `.grad` stays None."""
    answers.agree()


@ALL_PARTIALS.check(
    "one backward pass",
    points=1,
    cases=cases("all_partials", "one pass"),
    draw=draws.partials("all_partials", "len(passes)", "runs.total()"),
)
def test_all_partials_in_one_pass(answers: Answers) -> None:
    """Each node runs once."""
    answers.agree()


PREDICT_SECOND_CALL = Task(
    "predict_second_call",
    EXERCISE,
    minutes=15,
    section="The second call",
    reference=reference.predict_second_call,
    mistakes=mistakes.PREDICT_SECOND_CALL,
)


@PREDICT_SECOND_CALL.check("at least seven of nine cases", points=2, cases=cases("predict_second_call"))
def test_most_second_calls(answers: Answers) -> None:
    """More than either call for all answers."""
    answers.tally(allowed=2, length=2)


@PREDICT_SECOND_CALL.check("all nine cases", points=2, cases=cases("predict_second_call"))
def test_all_second_calls(answers: Answers) -> None:
    """Every case."""
    answers.tally(length=2)


GRAD_OR_ZERO = Task(
    "grad_or_zero",
    EXERCISE,
    minutes=8,
    section="Nodes the output does not use",
    reference=reference.grad_or_zero,
    mistakes=mistakes.GRAD_OR_ZERO,
    graph=graph_of_program("grad_or_zero"),
)


@GRAD_OR_ZERO.check(
    "gradients of what the output uses",
    points=1,
    cases=cases("grad_or_zero", "used"),
    draw=draws.all_used("result", *LEAVES),
)
def test_grad_or_zero_of_used(answers: Answers) -> None:
    """Leaves and inner nodes, gradients of 0 among them."""
    answers.agree()


@GRAD_OR_ZERO.check(
    "zeros for what it does not use",
    points=2,
    cases=cases("grad_or_zero", "unused"),
    draw=draws.some_unused("result", *LEAVES),
    draws=5,
)
def test_grad_or_zero_of_unused(answers: Answers) -> None:
    """Zeros of the tensor's own shape and dtype, in its place."""
    answers.agree()


NAMED_GRADIENTS = Task(
    "named_gradients",
    EXERCISE,
    minutes=10,
    section="Nodes the output does not use",
    reference=reference.named_gradients,
    mistakes=mistakes.NAMED_GRADIENTS,
)


@NAMED_GRADIENTS.check(
    "each gradient under its name",
    points=1,
    cases=cases("named_gradients", "used"),
    draw=draws.named("result", *LEAVES, strangers=False),
)
def test_named_gradients_of_used(answers: Answers) -> None:
    """All tensors lead to the output."""
    answers.agree()


@NAMED_GRADIENTS.check(
    "what the output does not use left out",
    points=2,
    cases=cases("named_gradients", "unused"),
    draw=draws.named("result", "sorted(result)", "named", "list(named)"),
)
def test_named_gradients_of_unused(answers: Answers) -> None:
    """Left out of the result and of nothing else: `named` keeps its names and tensors."""
    answers.agree()


@NAMED_GRADIENTS.check(
    "one backward pass",
    points=1,
    cases=cases("named_gradients", "one pass"),
    draw=draws.named("len(passes)", "runs.total()", strangers=False),
)
def test_named_gradients_in_one_pass(answers: Answers) -> None:
    """Each node runs once."""
    answers.agree()


GRADIENT_OF_VECTOR = Task(
    "gradient_of_vector",
    EXERCISE,
    minutes=10,
    section="The upstream gradient",
    reference=reference.gradient_of_vector,
    mistakes=mistakes.GRADIENT_OF_VECTOR,
)


@GRADIENT_OF_VECTOR.check(
    "y with one axis",
    points=2,
    cases=cases("gradient_of_vector", "one axis"),
    draw=draws.vector(draws.ONE_AXIS, "result", "x.grad", "upstream"),
)
def test_gradient_of_vector(answers: Answers) -> None:
    """One weight for each element; nothing stored or changed."""
    answers.agree()


@GRADIENT_OF_VECTOR.check(
    "y of any shape",
    points=2,
    cases=cases("gradient_of_vector", "any shape"),
    draw=draws.vector(draws.OTHER_SHAPES, "result", "x.grad", "upstream"),
)
def test_gradient_of_any_shape(answers: Answers) -> None:
    """Matrices, more axes, and none."""
    answers.agree()
