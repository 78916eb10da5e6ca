"""grad_cam: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy as np
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


def maps_and_gradients(
    features: nn.Module, head: nn.Module, image: torch.Tensor, target: Target
) -> tuple[torch.Tensor, torch.Tensor]:
    """The maps and the gradient of the target's logit with respect to them."""
    maps = leaf_of(features(image))
    (gradient,) = torch.autograd.grad(of_targets(head(maps), target).sum(), maps)
    return maps.detach(), gradient


def cam(features: nn.Module, head: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
    """Grad-CAM in the maps' own size, not scaled."""
    maps, gradient = maps_and_gradients(features, head, image, target)
    return (maps * gradient.mean((2, 3), keepdim=True)).sum(1, keepdim=True).relu()


def _grad_cam_numeric(
    replay: Replay, features: nn.Module, head: nn.Module, image: torch.Tensor, target: Target
) -> torch.Tensor:
    wide = in_double(head)
    maps = in_double(features)(image.double()).detach()
    gradient = numeric.gradient(lambda moved: chosen(wide(moved), target), maps)
    weights = gradient.numpy().mean(axis=(2, 3))
    found = np.maximum(np.einsum("bc,bchw->bhw", weights, maps.numpy()), 0)
    return torch.from_numpy(found[:, None]).to(image.dtype)


REFERENCE = program_reference(
    "grad_cam",
    cam,
    "autograd in float64",
    _grad_cam_numeric,
    "central differences of the logit for every entry of the maps, the sum in numpy",
)

TASK = Task(
    __file__,
    minutes=8,
    concepts=("leaves",),
    section="Grad-CAM",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)


def features_and_heads(*shown: str, each: bool = False) -> Draw:
    """Features and a head, and one class for all images, or one for each."""

    def draw(source: Random) -> tuple[Program]:
        parts = Parts(source, each=each)
        text = f"""{parts.seed}features = {parts.features}.double()
{flatter("features[0]")}head = {parts.head}.double()
image = {parts.image}
result = grad_cam(features, head, image, {parts.target})
"""
        return (Program(text, shown),)

    return draw


@TASK.check("one class for all images", points=3, cases="one class", draw=with_ends(features_and_heads("result")))
def test_grad_cam(answers: Answers) -> None:
    """An int as target."""
    answers.agree()


@TASK.check("a class for each image", points=2, cases="each", draw=features_and_heads("result", each=True))
def test_grad_cam_of_a_class_for_each_image(answers: Answers) -> None:
    """A tensor as target."""
    answers.agree()


@TASK.check("image and model as they were", points=1, cases="as found", damage=True)
def test_grad_cam_leaves_things_as_found(answers: Answers) -> None:
    """The caller's image is no leaf of the function; modes and frozen parameters stay."""
    answers.agree()
