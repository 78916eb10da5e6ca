"""Checks of exercise 10: attacks on a network, and training against them."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws.adversarial import attacks, neurons, training
from autograder.checks.task import Task
from autograder.diagnosis import adversarial as mistakes
from autograder.references import adversarial as reference
from autograder.references import public_cases

EXERCISE = "10_adversarial"


def cases(task: str, group: str) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


RAISE = Task(
    "raise_activation",
    EXERCISE,
    minutes=10,
    section="One activation raised on purpose",
    reference=reference.raise_activation,
    mistakes=mistakes.RAISE_ACTIVATION,
)


@RAISE.check(
    "a neuron above 0",
    points=2,
    cases=cases("raise_activation", "open"),
    draw=neurons.raise_activation("result"),
)
def test_raise_activation(answers: Answers) -> None:
    """Among neurons that would rather move otherwise."""
    answers.agree()


@RAISE.check(
    "a neuron below 0",
    points=1,
    cases=cases("raise_activation", "shut"),
    draw=neurons.raise_activation("result", is_open=False),
)
def test_raise_activation_of_a_shut_neuron(answers: Answers) -> None:
    """A ReLU behind it would let nothing through."""
    answers.agree()


@RAISE.check("numbers without influence, and all as it was", points=1, cases=cases("raise_activation", "as found"))
def test_raise_activation_leaves_things_as_found(answers: Answers) -> None:
    """Where the gradient is 0, either choice is right."""
    answers.agree()


FGSM = Task(
    "fgsm",
    EXERCISE,
    minutes=10,
    section="The fast gradient sign method",
    reference=reference.fgsm,
    mistakes=mistakes.FGSM,
)


@FGSM.check("the step", points=2, cases=cases("fgsm", "step"), draw=attacks.fgsm("result"))
def test_fgsm(answers: Answers) -> None:
    """Right labels and wrong ones."""
    answers.agree()


@FGSM.check("the limits 0 and 1", points=1, cases=cases("fgsm", "limits"), draw=attacks.fgsm("result", edges=True))
def test_fgsm_at_the_limits(answers: Answers) -> None:
    """Black pixels and white ones."""
    answers.agree()


@FGSM.check("images and model as they were", points=1, cases=cases("fgsm", "as found"))
def test_fgsm_leaves_things_as_found(answers: Answers) -> None:
    """The result is detached; `.grad`, modes and frozen parameters stay."""
    answers.agree()


PGD = Task(
    "pgd",
    EXERCISE,
    minutes=20,
    section="Many steps, each projected",
    reference=reference.pgd,
    mistakes=mistakes.PGD,
)


@PGD.check("the steps and the projection", points=3, cases=cases("pgd", "steps"), draw=attacks.pgd("result"))
def test_pgd(answers: Answers) -> None:
    """All steps together reach further than epsilon."""
    answers.agree()


@PGD.check("the limits 0 and 1", points=1, cases=cases("pgd", "limits"), draw=attacks.pgd("result", edges=True))
def test_pgd_at_the_limits(answers: Answers) -> None:
    """Black pixels and white ones."""
    answers.agree()


@PGD.check("no iterations", points=1, cases=cases("pgd", "none"))
def test_pgd_without_iterations(answers: Answers) -> None:
    """The images come back as they were."""
    answers.agree()


@PGD.check("images and model as they were", points=1, cases=cases("pgd", "as found"))
def test_pgd_leaves_things_as_found(answers: Answers) -> None:
    """The result is detached; `.grad`, modes and frozen parameters stay."""
    answers.agree()


TARGETED = Task(
    "targeted_pgd",
    EXERCISE,
    minutes=15,
    section="Attacks with a target",
    reference=reference.targeted_pgd,
    mistakes=mistakes.TARGETED_PGD,
)


@TARGETED.check("the images", points=2, cases=cases("targeted_pgd", "images"), draw=attacks.targeted_pgd("result"))
def test_targeted_pgd(answers: Answers) -> None:
    """Targets that are read already, and others."""
    answers.agree()


@TARGETED.check(
    "who has arrived",
    points=2,
    cases=cases("targeted_pgd", "reached"),
    draw=attacks.targeted_pgd("reached", also=("result",)),
)
def test_targeted_pgd_reached(answers: Answers) -> None:
    """Some images arrive, and some do not."""
    answers.agree()


@TARGETED.check("images and model as they were", points=1, cases=cases("targeted_pgd", "as found"))
def test_targeted_pgd_leaves_things_as_found(answers: Answers) -> None:
    """Both results are detached; `.grad`, modes and frozen parameters stay."""
    answers.agree()


SMALLEST = Task(
    "smallest_epsilon",
    EXERCISE,
    minutes=12,
    section="How far the boundary is",
    reference=reference.smallest_epsilon,
    mistakes=mistakes.SMALLEST_EPSILON,
)


@SMALLEST.check(
    "both sides of the boundary",
    points=2,
    cases=cases("smallest_epsilon", "sides"),
    draw=neurons.smallest_epsilon,
)
def test_smallest_epsilon(answers: Answers) -> None:
    """Weights of either sign."""
    answers.agree()


@SMALLEST.check("on it, zeros, float32", points=1, cases=cases("smallest_epsilon", "special"))
def test_smallest_epsilon_of_special_points(answers: Answers) -> None:
    """The arguments stay as they are."""
    answers.agree()
    answers.arguments_unchanged()


ACCURACY = Task(
    "robust_accuracy",
    EXERCISE,
    minutes=8,
    section="Robust accuracy",
    reference=reference.robust_accuracy,
    mistakes=mistakes.ROBUST_ACCURACY,
)


@ACCURACY.check(
    "the number", points=2, cases=cases("robust_accuracy", "number"), draw=training.robust_accuracy("result")
)
def test_robust_accuracy(answers: Answers) -> None:
    """Attacks of several kinds; images that were misread before."""
    answers.agree()


@ACCURACY.check(
    "one call, with all images",
    points=1,
    cases=cases("robust_accuracy", "one call"),
    draw=training.robust_accuracy("calls"),
)
def test_robust_accuracy_calls_once(answers: Answers) -> None:
    """The attack notes its calls."""
    answers.agree()


@ACCURACY.check("images and model as they were", points=1, cases=cases("robust_accuracy", "as found"))
def test_robust_accuracy_leaves_things_as_found(answers: Answers) -> None:
    """`.grad`, modes and frozen parameters stay."""
    answers.agree()


TRAINING = Task(
    "adversarial_step",
    EXERCISE,
    minutes=20,
    section="Adversarial training",
    reference=reference.adversarial_step,
    mistakes=mistakes.ADVERSARIAL_STEP,
)
PARAMETERS = "[p.detach() for p in model.parameters()]"


@TRAINING.check(
    "the parameters",
    points=3,
    cases=cases("adversarial_step", "parameters"),
    draw=training.adversarial_step(PARAMETERS),
)
def test_adversarial_step(answers: Answers) -> None:
    """Several optimizers."""
    answers.agree()


@TRAINING.check(
    "the loss",
    points=1,
    cases=cases("adversarial_step", "loss"),
    draw=training.adversarial_step("loss", also=(PARAMETERS,)),
)
def test_adversarial_step_returns_the_loss(answers: Answers) -> None:
    """That of the attacked images, from before the step, detached."""
    answers.agree()


@TRAINING.check(
    "gradients left over",
    points=1,
    cases=cases("adversarial_step", "left over"),
    draw=training.adversarial_step(PARAMETERS, left_over=True),
)
def test_adversarial_step_clears_gradients(answers: Answers) -> None:
    """`.grad` holds something before."""
    answers.agree()


@TRAINING.check("frozen layers, and all as it was", points=1, cases=cases("adversarial_step", "as found"))
def test_adversarial_step_leaves_things_as_found(answers: Answers) -> None:
    """Images, modes and frozen parameters stay."""
    answers.agree()
