"""Pictures of what a logit depends on: saliency and Grad-CAM. tests/tasks/test_captum.py compares them with captum."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from autograder.references import numeric
from autograder.references.cnn.inner import in_double, leaf_of
from autograder.references.replay import Replay, program_reference

Target = int | torch.Tensor


def of_targets(logits: torch.Tensor, target: Target) -> torch.Tensor:
    """Each image's logit of its target: (batch,)."""
    if isinstance(target, int):
        return logits[:, target]
    return logits.gather(1, target.reshape(-1, 1))[:, 0]


def saliency_map(model: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
    """The absolute gradient of the target's logit with respect to the image."""
    leaf = leaf_of(image)
    return torch.autograd.grad(of_targets(model(leaf), target).sum(), leaf)[0].abs()


def _saliency_numeric(replay: Replay, model: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
    wide = in_double(model)
    return numeric.gradient(lambda moved: _chosen(wide(moved), target), image.double()).abs().to(image.dtype)


def _chosen(logits: torch.Tensor, target: Target) -> torch.Tensor:
    """The sum of the targets' logits, by a mask."""
    mask = torch.zeros_like(logits)
    for row in range(len(logits)):
        mask[row, int(target if isinstance(target, int) else target[row])] = 1
    return (logits * mask).sum()


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
    gradient = numeric.gradient(lambda moved: _chosen(wide(moved), target), maps)
    weights = gradient.numpy().mean(axis=(2, 3))
    found = np.maximum(np.einsum("bc,bchw->bhw", weights, maps.numpy()), 0)
    return torch.from_numpy(found[:, None]).to(image.dtype)


saliency = program_reference(
    "saliency",
    saliency_map,
    "autograd in float64",
    _saliency_numeric,
    "central differences of the logit for every pixel",
)
grad_cam = program_reference(
    "grad_cam",
    cam,
    "autograd in float64",
    _grad_cam_numeric,
    "central differences of the logit for every entry of the maps, the sum in numpy",
)
