"""Gradients of tensors inside a network: latents, feature maps, and what adds up to a logit."""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder.references import numeric
from autograder.references.replay import Replay, program_reference


def leaf_of(x: torch.Tensor) -> torch.Tensor:
    """A leaf with the numbers of x."""
    return x.detach().clone().requires_grad_()


def in_double(model: nn.Module) -> nn.Module:
    """A copy whose numbers are float64, for differences."""
    return copy.deepcopy(model).double()


def pooled(latent: torch.Tensor) -> torch.Tensor:
    """Twice the mean of each channel: (batch, channels)."""
    return 2 * latent.mean((2, 3))


def _latent_gradients(encoder: nn.Module, decoder: nn.Module, image: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    latent = leaf_of(encoder(image))
    modified = pooled(latent)
    return torch.autograd.grad(decoder(modified).sum(), (modified, latent))


def _latent_numeric(replay: Replay, encoder: nn.Module, decoder: nn.Module, image: torch.Tensor) -> tuple:
    wide = in_double(decoder)
    latent = in_double(encoder)(image.double()).detach()
    of_modified = numeric.gradient(wide, pooled(latent))
    of_latent = numeric.gradient(lambda moved: wide(pooled(moved)), latent)
    return of_modified.to(image.dtype), of_latent.to(image.dtype)


def maps_behind(conv1: nn.Module, conv2: nn.Module, image: torch.Tensor) -> torch.Tensor:
    """The feature maps after the second ReLU."""
    return functional.relu(conv2(functional.relu(conv1(image))))


def _feature_map_gradient(
    conv1: nn.Module, conv2: nn.Module, fc: nn.Linear, image: torch.Tensor, target: torch.Tensor
) -> torch.Tensor:
    maps = leaf_of(maps_behind(conv1, conv2, image))
    return torch.autograd.grad(functional.cross_entropy(fc(maps.flatten(1)), target), maps)[0]


def _feature_map_closed(
    replay: Replay, conv1: nn.Module, conv2: nn.Module, fc: nn.Linear, image: torch.Tensor, target: torch.Tensor
) -> torch.Tensor:
    """The mean of softmax minus one-hot, times the weight."""
    with torch.no_grad():
        maps = maps_behind(conv1, conv2, image)
        logits = fc(maps.flatten(1)).double().numpy()
    odds = np.exp(logits - logits.max(1, keepdims=True))
    of_logits = odds / odds.sum(1, keepdims=True)
    of_logits[np.arange(len(target)), target.numpy()] -= 1
    found = of_logits / len(target) @ fc.weight.detach().double().numpy()
    return torch.from_numpy(found).reshape(maps.shape).to(image.dtype)


def _contributions(h: torch.Tensor, layer: nn.Linear, c: int) -> torch.Tensor:
    leaf = leaf_of(h)
    return (torch.autograd.grad(layer(leaf)[:, c].sum(), leaf)[0] * leaf).detach()


def _contributions_by_absence(replay: Replay, h: torch.Tensor, layer: nn.Linear, c: int) -> torch.Tensor:
    """How far the logit falls where one input is set to 0: the layer is linear."""
    wide, found = in_double(layer), torch.empty(h.shape, dtype=torch.float64)
    with torch.no_grad():
        for j in range(h.shape[1]):
            without = h.double().clone()
            without[:, j] = 0
            found[:, j] = (wide(h.double()) - wide(without))[:, c]
    return found.to(h.dtype)


latent_gradients = program_reference(
    "latent_gradients",
    _latent_gradients,
    "one pass of autograd in float64",
    _latent_numeric,
    "central differences of the loss for every entry of both tensors",
)
feature_map_gradient = program_reference(
    "feature_map_gradient",
    _feature_map_gradient,
    "autograd in float64 from a leaf in the maps' place",
    _feature_map_closed,
    "closed form in numpy: softmax minus one-hot, times the weight",
)
contributions = program_reference(
    "contributions",
    _contributions,
    "gradient by autograd, times activation",
    _contributions_by_absence,
    "the fall of the logit where one input is taken away",
)
