"""Checks of exercise 11: programs that run and are wrong, repaired. None gives points to a program as given."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws import clinic as draws
from autograder.checks.own_nodes import by_its_own_node
from autograder.checks.task import Task
from autograder.diagnosis import clinic as mistakes
from autograder.references import clinic as reference
from autograder.references import public_cases

EXERCISE = "11_clinic"
BEGIN = "Delete the line `raise NotImplementedError`, then check and repair the program below it."


def cases(task: str, group: str) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


TASKS = Task(
    "task_gradients",
    EXERCISE,
    minutes=8,
    section="Gradients that pile up",
    begin=BEGIN,
    reference=reference.task_gradients,
    mistakes=mistakes.TASK_GRADIENTS,
)


@TASKS.check(
    "a gradient for each task",
    points=2,
    cases=cases("task_gradients", "gradients"),
    draw=draws.task_gradients("result"),
    draws=2,
)
def test_task_gradients(answers: Answers) -> None:
    """Several targets, one by one."""
    answers.agree()


@TASKS.check(
    "w and its gradient as they were",
    points=1,
    cases=cases("task_gradients", "as found"),
    draw=draws.task_gradients("result", "w.grad"),
    draws=1,
)
def test_task_gradients_leave_things_as_found(answers: Answers) -> None:
    """None stays None, and numbers stay; no task, no gradient."""
    answers.agree()


STEPS = Task(
    "push_towards",
    EXERCISE,
    minutes=6,
    section="Steps in the wrong direction",
    begin=BEGIN,
    reference=reference.push_towards,
    mistakes=mistakes.PUSH_TOWARDS,
)


@STEPS.check(
    "closer with every step",
    points=2,
    cases=cases("push_towards", "closer"),
    draw=draws.push_towards("result"),
    draws=2,
)
def test_push_towards(answers: Answers) -> None:
    """One step and several, on linear and curved models."""
    answers.agree()


@STEPS.check(
    "x and the model as they were",
    points=1,
    cases=cases("push_towards", "as found"),
    draw=draws.push_towards("result", "x", "[p.grad for p in model.parameters()]"),
    draws=1,
)
def test_push_towards_leaves_things_as_found(answers: Answers) -> None:
    """The caller's tensor, parameters and their gradients, modes; no step."""
    answers.agree()


PICKS = Task(
    "PickMany",
    EXERCISE,
    minutes=10,
    section="Places that come back",
    begin=BEGIN,
    reference=reference.pick_many,
    mistakes=mistakes.PICK_MANY,
)


@PICKS.check("every pick counts", points=2, cases=cases("PickMany", "repeats"), draw=draws.repeats, draws=2)
def test_pick_many(answers: Answers) -> None:
    """Elements that are picked several times; several applies before one backward pass."""
    by_its_own_node(answers)


@PICKS.check(
    "counted from the end", points=1, cases=cases("PickMany", "from the end"), draw=draws.from_the_end, draws=1
)
def test_pick_many_from_the_end(answers: Answers) -> None:
    """Two ints may name one element."""
    by_its_own_node(answers)


SAMPLES = Task(
    "sample_gradient_norms",
    EXERCISE,
    minutes=12,
    section="A gradient for each sample",
    begin=BEGIN,
    reference=reference.sample_gradient_norms,
    mistakes=mistakes.SAMPLE_GRADIENT_NORMS,
)


@SAMPLES.check(
    "a norm for each sample",
    points=3,
    cases=cases("sample_gradient_norms", "norms"),
    draw=draws.sample_gradient_norms("result"),
    draws=2,
)
def test_sample_gradient_norms(answers: Answers) -> None:
    """Batches of several sizes, with and without a bias."""
    answers.agree()


@SAMPLES.check(
    "the model as it was",
    points=1,
    cases=cases("sample_gradient_norms", "as found"),
    draw=draws.sample_gradient_norms("result", "model.weight.grad"),
    draws=1,
)
def test_sample_gradient_norms_leave_things_as_found(answers: Answers) -> None:
    """Parameters' gradients that were there, and that were not."""
    answers.agree()


DAMPED = Task(
    "damped_tanh",
    EXERCISE,
    minutes=8,
    section="Values changed behind autograd's back",
    begin=BEGIN,
    reference=reference.damped_tanh,
    mistakes=mistakes.DAMPED_TANH,
)


@DAMPED.check("values and gradient", points=2, cases=cases("damped_tanh", "gradient"), draw=draws.damped_tanh, draws=2)
def test_damped_tanh(answers: Answers) -> None:
    """Entries of both signs, any upstream gradient."""
    answers.agree()


@DAMPED.check("any shape, and differentiated twice", points=1, cases=cases("damped_tanh", "shapes"))
def test_damped_tanh_of_any_shape(answers: Answers) -> None:
    """Matrices, single numbers, an x that is no leaf; x stays as it is."""
    answers.agree()


DISTANCE = Task(
    "distance",
    EXERCISE,
    minutes=10,
    section="nan from the branch not taken",
    begin=BEGIN,
    reference=reference.distance,
    mistakes=mistakes.DISTANCE,
)


@DISTANCE.check("rows that coincide", points=2, cases=cases("distance", "coincide"), draw=draws.coinciding, draws=2)
def test_distance(answers: Answers) -> None:
    """A gradient of 0 for both, among rows that lie apart."""
    answers.agree()


@DISTANCE.check(
    "rows that nearly coincide", points=2, cases=cases("distance", "nearly"), draw=draws.nearly_coinciding, draws=1
)
def test_distance_of_near_rows(answers: Answers) -> None:
    """Nothing is added under the root."""
    answers.agree()


RIDGE = Task(
    "ridge_loss",
    EXERCISE,
    minutes=6,
    section="Numbers without a history",
    begin=BEGIN,
    reference=reference.ridge_loss,
    mistakes=mistakes.RIDGE_LOSS,
)


@RIDGE.check(
    "the loss and its gradient", points=2, cases=cases("ridge_loss", "gradient"), draw=draws.ridge_loss, draws=2
)
def test_ridge_loss(answers: Answers) -> None:
    """The penalty pulls at the weights."""
    answers.agree()


@RIDGE.check("the data's gradients, and no strength", points=1, cases=cases("ridge_loss", "others"))
def test_ridge_loss_of_the_data(answers: Answers) -> None:
    """X and y may require a gradient too; a strength of 0."""
    answers.agree()


MEAN = Task(
    "mean_loss",
    EXERCISE,
    minutes=10,
    section="Memory that grows",
    begin=BEGIN,
    reference=reference.mean_loss,
    mistakes=mistakes.MEAN_LOSS,
)


@MEAN.check(
    "the mean, and nothing that grows", points=3, cases=cases("mean_loss", "kept"), draw=draws.mean_loss, draws=2
)
def test_mean_loss(answers: Answers) -> None:
    """More batches keep no more tensors."""
    answers.agree()


@MEAN.check("one batch, a generator, and all as it was", points=1, cases=cases("mean_loss", "as found"))
def test_mean_loss_leaves_things_as_found(answers: Answers) -> None:
    """Parameters' gradients, modes, grad mode."""
    answers.agree()
