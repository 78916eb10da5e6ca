"""Checks of exercise 07: Jacobians of layers and models with respect to their input."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws import jacobians as draws
from autograder.checks.draws import samples
from autograder.checks.task import Task
from autograder.diagnosis import jacobians as mistakes
from autograder.references import jacobians as reference
from autograder.references import public_cases

EXERCISE = "07_jacobians"


def cases(task: str, group: str) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


FIRST = Task(
    "first_layer_jacobian",
    EXERCISE,
    minutes=12,
    section="Rows, one by one",
    reference=reference.first_layer_jacobian,
    mistakes=mistakes.FIRST_LAYER_JACOBIAN,
)


@FIRST.check(
    "the matrix",
    points=2,
    cases=cases("first_layer_jacobian", "matrix"),
    draw=draws.first_layer_jacobian("result"),
)
def test_first_layer_jacobian(answers: Answers) -> None:
    """Layers of several kinds; rows are outputs, columns inputs."""
    answers.agree()


@FIRST.check(
    "one output, or one input",
    points=1,
    cases=cases("first_layer_jacobian", "single"),
    draw=draws.first_layer_jacobian("result", single=True),
    draws=1,
)
def test_first_layer_jacobian_with_a_single_row_or_column(answers: Answers) -> None:
    """Two axes all the same."""
    answers.agree()


@FIRST.check("x and the layer as they were", points=1, cases=cases("first_layer_jacobian", "as found"))
def test_first_layer_jacobian_leaves_things_as_found(answers: Answers) -> None:
    """The caller's tensor is no leaf of the function; modes stay."""
    answers.agree()


INSIDE = Task(
    "first_layer_inside",
    EXERCISE,
    minutes=18,
    section="The first layer inside a model",
    reference=reference.first_layer_inside,
    mistakes=mistakes.FIRST_LAYER_INSIDE,
)


@INSIDE.check(
    "the layer at work",
    points=2,
    cases=cases("first_layer_inside", "at work"),
    draw=draws.first_layer_inside("result"),
)
def test_first_layer_inside(answers: Answers) -> None:
    """Models that do something to x before their first layer."""
    answers.agree()


@INSIDE.check(
    "a model that goes on in place",
    points=1,
    cases=cases("first_layer_inside", "in place"),
    draw=draws.first_layer_inside("result", in_place=True),
    draws=2,
)
def test_first_layer_inside_in_place(answers: Answers) -> None:
    """The first layer's output is overwritten later."""
    answers.agree()


@INSIDE.check("the model run to its end and left as it was", points=2, cases=cases("first_layer_inside", "as found"))
def test_first_layer_inside_leaves_things_as_found(answers: Answers) -> None:
    """Hooks and modes, after an exception too."""
    answers.agree()


WEIGHTED = Task(
    "weighted_input_gradient",
    EXERCISE,
    minutes=6,
    section="Vector-Jacobian products",
    reference=reference.weighted_input_gradient,
    mistakes=mistakes.WEIGHTED_INPUT_GRADIENT,
)


@WEIGHTED.check(
    "the weighted sum of rows",
    points=2,
    cases=cases("weighted_input_gradient", "product"),
    draw=draws.weighted_input_gradient("result"),
)
def test_weighted_input_gradient(answers: Answers) -> None:
    """v J in the shape of x."""
    answers.agree()


@WEIGHTED.check(
    "in one backward pass, and all as it was",
    points=1,
    cases=cases("weighted_input_gradient", "one pass"),
    draw=draws.weighted_input_gradient("result", "len(passes)", "x.requires_grad"),
    draws=1,
)
def test_weighted_input_gradient_in_one_pass(answers: Answers) -> None:
    """Neither a pass for each row nor none."""
    answers.agree()


RELU = Task(
    "after_relu",
    EXERCISE,
    minutes=10,
    section="ReLU after the layer",
    reference=reference.after_relu,
    mistakes=mistakes.AFTER_RELU,
)


@RELU.check(
    "open and shut units",
    points=2,
    cases=cases("after_relu", "gates"),
    draw=draws.after_relu("open", "open", "shut"),
)
def test_after_relu(answers: Answers) -> None:
    """Rows of the weight, or 0."""
    answers.agree()


@RELU.check(
    "a unit exactly at 0",
    points=1,
    cases=cases("after_relu", "at zero"),
    draw=draws.after_relu("open", "zero", "shut"),
    draws=1,
)
def test_after_relu_at_zero(answers: Answers) -> None:
    """relu'(0) = 0."""
    answers.agree()


@RELU.check(
    "in place, and all as it was",
    points=1,
    cases=cases("after_relu", "in place"),
    draw=draws.after_relu("open", "shut", "shut", in_place=True),
    draws=1,
)
def test_after_relu_in_place(answers: Answers) -> None:
    """nn.ReLU(inplace=True); x and the modes stay."""
    answers.agree()


NEURON = Task(
    "neuron_gradient",
    EXERCISE,
    minutes=8,
    section="One neuron, many samples",
    reference=reference.neuron_gradient,
    mistakes=mistakes.NEURON_GRADIENT,
)


@NEURON.check(
    "one sample, and all as it was",
    points=1,
    cases=cases("neuron_gradient", "one sample"),
    draw=samples.neuron_gradient(1, "result", "X.requires_grad"),
    draws=1,
)
def test_neuron_gradient_of_one_sample(answers: Answers) -> None:
    """The right neuron, counted from 0; X and the modes stay."""
    answers.agree()


@NEURON.check(
    "a batch",
    points=2,
    cases=cases("neuron_gradient", "batch"),
    draw=samples.neuron_gradient(4, "result"),
)
def test_neuron_gradient_of_a_batch(answers: Answers) -> None:
    """A row for each sample."""
    answers.agree()


PER_SAMPLE = Task(
    "per_sample_jacobian",
    EXERCISE,
    minutes=20,
    section="Per-sample Jacobians",
    reference=reference.per_sample_jacobian,
    mistakes=mistakes.PER_SAMPLE_JACOBIAN,
)


@PER_SAMPLE.check(
    "a matrix for each sample",
    points=3,
    cases=cases("per_sample_jacobian", "matrices"),
    draw=samples.per_sample_jacobian,
)
def test_per_sample_jacobian(answers: Answers) -> None:
    """Models that do not mix samples."""
    answers.agree()


@PER_SAMPLE.check(
    "a frozen BatchNorm answered, and all as it was",
    points=1,
    cases=cases("per_sample_jacobian", "frozen"),
    draw=samples.frozen,
    draws=2,
)
def test_per_sample_jacobian_answers_a_frozen_batchnorm(answers: Answers) -> None:
    """In evaluation with running statistics; X and the modes stay."""
    answers.agree()


@PER_SAMPLE.check(
    "batch statistics refused",
    points=2,
    cases=cases("per_sample_jacobian", "refused"),
    draw=samples.refused,
)
def test_per_sample_jacobian_refuses_batch_statistics(answers: Answers) -> None:
    """ValueError, and the model as it was."""
    answers.agree()


DIRECTIONAL = Task(
    "directional_derivative",
    EXERCISE,
    minutes=8,
    section="Jacobian-vector products",
    reference=reference.directional_derivative,
    mistakes=mistakes.DIRECTIONAL_DERIVATIVE,
)


@DIRECTIONAL.check(
    "the weighted sum of columns",
    points=2,
    cases=cases("directional_derivative", "product"),
    draw=draws.directional_derivative("result"),
)
def test_directional_derivative(answers: Answers) -> None:
    """J v in the shape of f(x)."""
    answers.agree()


@DIRECTIONAL.check(
    "in forward mode",
    points=2,
    cases=cases("directional_derivative", "forward mode"),
    draw=draws.directional_derivative("result", "len(f.calls) == 1", "len(passes) == 0"),
    draws=1,
)
def test_directional_derivative_in_forward_mode(answers: Answers) -> None:
    """One call of f, no backward pass."""
    answers.agree()
