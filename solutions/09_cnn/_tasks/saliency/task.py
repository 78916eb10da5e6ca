"""saliency: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import flatter, with_ends
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.leaves import in_double, leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import Parts, Target, chosen, of_targets


def saliency_map(model: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
    """The absolute gradient of the target's logit with respect to the image."""
    leaf = leaf_of(image)
    return torch.autograd.grad(of_targets(model(leaf), target).sum(), leaf)[0].abs()


def _saliency_numeric(replay: Replay, model: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
    wide = in_double(model)
    return numeric.gradient(lambda moved: chosen(wide(moved), target), image.double()).abs().to(image.dtype)


REFERENCE = program_reference(
    "saliency",
    saliency_map,
    "autograd in float64",
    _saliency_numeric,
    "central differences of the logit for every pixel",
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("leaves",),
    section="Saliency",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)


def classifiers(*shown: str, each: bool = False) -> Draw:
    """A network and one class for all images, or one for each."""

    def draw(source: Random) -> tuple[Program]:
        parts = Parts(source, each=each)
        text = f"""{parts.seed}model = nn.Sequential({parts.features}, {parts.head}).double()
{flatter("model[0][0]")}image = {parts.image}
result = saliency(model, image, {parts.target})
"""
        return (Program(text, shown),)

    return draw


@TASK.check("one class for all images", points=2, cases="one class", draw=with_ends(classifiers("result")))
def test_saliency(answers: Answers) -> None:
    """An int as target."""
    answers.agree()


@TASK.check("a class for each image", points=1, cases="each", draw=classifiers("result", each=True))
def test_saliency_of_a_class_for_each_image(answers: Answers) -> None:
    """A tensor as target."""
    answers.agree()


@TASK.check("image and model as they were", points=1, cases="as found", damage=True)
def test_saliency_leaves_things_as_found(answers: Answers) -> None:
    """The caller's image is no leaf of the function; modes and frozen parameters stay."""
    answers.agree()
