"""Checks of exercise 09: gradients inside a convolutional network."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws.cnn import heatmaps, inner, operations
from autograder.checks.task import Task
from autograder.diagnosis import cnn as mistakes
from autograder.references import cnn as reference
from autograder.references import public_cases

EXERCISE = "09_cnn"


def cases(task: str, group: str) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


LATENT = Task(
    "latent_gradients",
    EXERCISE,
    minutes=10,
    section="Latents between encoder and decoder",
    reference=reference.latent_gradients,
    mistakes=mistakes.LATENT_GRADIENTS,
)


@LATENT.check(
    "both gradients",
    points=3,
    cases=cases("latent_gradients", "both"),
    draw=inner.latent_gradients("result"),
)
def test_latent_gradients(answers: Answers) -> None:
    """Linear decoders and curved ones."""
    answers.agree()


@LATENT.check(
    "frozen parts, and all as it was",
    points=1,
    cases=cases("latent_gradients", "as found"),
    draw=inner.latent_gradients("result", "image.requires_grad", frozen=True),
)
def test_latent_gradients_leaves_things_as_found(answers: Answers) -> None:
    """Neither image nor parameters require a gradient, and they don't afterwards."""
    answers.agree()


MAPS = Task(
    "feature_map_gradient",
    EXERCISE,
    minutes=12,
    section="Feature maps before and after the ReLU",
    reference=reference.feature_map_gradient,
    mistakes=mistakes.FEATURE_MAP_GRADIENT,
)


@MAPS.check(
    "after the ReLU",
    points=3,
    cases=cases("feature_map_gradient", "after"),
    draw=inner.feature_map_gradient("result"),
)
def test_feature_map_gradient(answers: Answers) -> None:
    """Open and shut units; one image and several."""
    answers.agree()


@MAPS.check(
    "frozen layers, and all as it was",
    points=1,
    cases=cases("feature_map_gradient", "as found"),
    draw=inner.feature_map_gradient("result", "image.requires_grad", frozen=True),
)
def test_feature_map_gradient_leaves_things_as_found(answers: Answers) -> None:
    """Neither image nor parameters require a gradient, and they don't afterwards."""
    answers.agree()


CONTRIBUTIONS = Task(
    "contributions",
    EXERCISE,
    minutes=8,
    section="Sensitivity and contribution",
    reference=reference.contributions,
    mistakes=mistakes.CONTRIBUTIONS,
)


@CONTRIBUTIONS.check(
    "what each input adds",
    points=2,
    cases=cases("contributions", "adds"),
    draw=inner.contributions("result", "h.requires_grad"),
)
def test_contributions(answers: Answers) -> None:
    """One sample and several; inputs that are 0."""
    answers.agree()


@CONTRIBUTIONS.check(
    "a layer without a bias",
    points=1,
    cases=cases("contributions", "no bias"),
    draw=inner.contributions("result", bias=False),
)
def test_contributions_without_a_bias(answers: Answers) -> None:
    """layer.bias is None."""
    answers.agree()


CONVOLUTION = Task(
    "conv_weight_gradient",
    EXERCISE,
    minutes=35,
    section="The backward of a convolution",
    reference=reference.conv_weight_gradient,
    mistakes=mistakes.CONV_WEIGHT_GRADIENT,
    core=False,
)


@CONVOLUTION.check("pixel by pixel", points=3, cases=cases("conv_weight_gradient", "plain"), draw=operations.plain)
def test_conv_weight_gradient(answers: Answers) -> None:
    """A square kernel, stride 1, no padding; by hand."""
    answers.agree()


@CONVOLUTION.check(
    "stride and padding", points=3, cases=cases("conv_weight_gradient", "strided"), draw=operations.strided
)
def test_conv_weight_gradient_with_stride_and_padding(answers: Answers) -> None:
    """No pixel is left over; by hand."""
    answers.agree()


@CONVOLUTION.check(
    "oblong kernels, pixels left over",
    points=2,
    cases=cases("conv_weight_gradient", "leftovers"),
    draw=operations.leftovers,
)
def test_conv_weight_gradient_with_leftovers(answers: Answers) -> None:
    """A pair as kernel_size; by hand."""
    answers.agree()


POOLING = Task(
    "max_pool_gradient",
    EXERCISE,
    minutes=15,
    section="The backward of max pooling",
    reference=reference.max_pool_gradient,
    mistakes=mistakes.MAX_POOL_GRADIENT,
)


@POOLING.check(
    "one largest pixel in each window",
    points=2,
    cases=cases("max_pool_gradient", "plain"),
    draw=operations.pooling("result", "x.requires_grad"),
)
def test_max_pool_gradient(answers: Answers) -> None:
    """No two pixels are equal; windows below zero too."""
    answers.agree()


@POOLING.check(
    "several largest pixels",
    points=2,
    cases=cases("max_pool_gradient", "ties"),
    draw=operations.pooling("result", ties=True),
)
def test_max_pool_gradient_with_ties(answers: Answers) -> None:
    """The first in reading order."""
    answers.agree()


@POOLING.check(
    "pixels left over",
    points=1,
    cases=cases("max_pool_gradient", "leftovers"),
    draw=operations.pooling("result", over=True),
)
def test_max_pool_gradient_with_leftovers(answers: Answers) -> None:
    """They are in no window."""
    answers.agree()


SALIENCY = Task(
    "saliency",
    EXERCISE,
    minutes=10,
    section="Saliency",
    reference=reference.saliency,
    mistakes=mistakes.SALIENCY,
)


@SALIENCY.check(
    "one class for all images",
    points=2,
    cases=cases("saliency", "one class"),
    draw=heatmaps.saliency("result"),
)
def test_saliency(answers: Answers) -> None:
    """An int as target."""
    answers.agree()


@SALIENCY.check(
    "a class for each image",
    points=1,
    cases=cases("saliency", "each"),
    draw=heatmaps.saliency("result", each=True),
)
def test_saliency_of_a_class_for_each_image(answers: Answers) -> None:
    """A tensor as target."""
    answers.agree()


@SALIENCY.check("image and model as they were", points=1, cases=cases("saliency", "as found"))
def test_saliency_leaves_things_as_found(answers: Answers) -> None:
    """The caller's image is no leaf of the function; modes and frozen parameters stay."""
    answers.agree()


CAM = Task(
    "grad_cam",
    EXERCISE,
    minutes=20,
    section="Grad-CAM",
    reference=reference.grad_cam,
    mistakes=mistakes.GRAD_CAM,
)


@CAM.check(
    "one class for all images",
    points=3,
    cases=cases("grad_cam", "one class"),
    draw=heatmaps.grad_cam("result"),
)
def test_grad_cam(answers: Answers) -> None:
    """An int as target."""
    answers.agree()


@CAM.check(
    "a class for each image",
    points=2,
    cases=cases("grad_cam", "each"),
    draw=heatmaps.grad_cam("result", each=True),
)
def test_grad_cam_of_a_class_for_each_image(answers: Answers) -> None:
    """A tensor as target."""
    answers.agree()


@CAM.check("image and model as they were", points=1, cases=cases("grad_cam", "as found"))
def test_grad_cam_leaves_things_as_found(answers: Answers) -> None:
    """The caller's image is no leaf of the function; modes and frozen parameters stay."""
    answers.agree()
