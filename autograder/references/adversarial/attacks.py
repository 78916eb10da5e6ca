"""Attacks on images. tests/tasks/test_adversarial_robustness_toolbox.py compares them with the toolbox of that name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder.references import numeric
from autograder.references.cnn.inner import in_double, leaf_of
from autograder.references.replay import Replay, program_reference

Slope = Callable[[nn.Module, torch.Tensor, torch.Tensor], torch.Tensor]


def slope(model: nn.Module, x: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """The gradient of the cross entropy with respect to the images."""
    leaf = leaf_of(x)
    return torch.autograd.grad(functional.cross_entropy(model(leaf), classes), leaf)[0]


def stepped(model: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> torch.Tensor:
    """One step against the labels."""
    return (x + epsilon * slope(model, x, y).sign()).clamp(0, 1)


def walked(
    model: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float, step: float, iterations: int
) -> torch.Tensor:
    """Many steps against the labels, each projected; backwards where `step` is negative."""
    now = x.clone()
    for _ in range(iterations):
        now = now + step * slope(model, now, y).sign()
        now = torch.minimum(torch.maximum(now, x - epsilon), x + epsilon).clamp(0, 1)
    return now


def walked_to(
    model: nn.Module, x: torch.Tensor, target: torch.Tensor, epsilon: float, step: float, iterations: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Many steps towards the targets, and which images are read as theirs."""
    found = walked(model, x, target, epsilon, -step, iterations)
    with torch.no_grad():
        return found, model(found).argmax(1) == target


def loss_by_numpy(logits: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """The sum of the cross entropies, as its definition says."""
    numbers = logits.detach().double().numpy()
    largest = numbers.max(1)
    whole = largest + np.log(np.exp(numbers - largest[:, None]).sum(1))
    return torch.tensor((whole - numbers[np.arange(len(numbers)), classes.numpy()]).sum())


def slope_by_differences(model: nn.Module, x: torch.Tensor, classes: torch.Tensor) -> np.ndarray:
    """The cross entropy's gradient with respect to every pixel, by central differences in float64."""
    wide = in_double(model)
    return numeric.gradient(lambda moved: loss_by_numpy(wide(moved), classes), x.double()).numpy()


def _walk_by_differences(
    model: nn.Module, x: torch.Tensor, classes: torch.Tensor, epsilon: float, moves: list[float]
) -> np.ndarray:
    start = x.double().numpy()
    low, high = np.maximum(start - epsilon, 0), np.minimum(start + epsilon, 1)
    now = start
    for move in moves:
        way = slope_by_differences(model, torch.from_numpy(now), classes)
        now = np.clip(np.where(way > 0, now + move, now - move), low, high)
    return now


def _fgsm_numeric(replay: Replay, model: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> torch.Tensor:
    return torch.from_numpy(_walk_by_differences(model, x, y, epsilon, [epsilon])).to(x.dtype)


def _pgd_numeric(
    replay: Replay,
    model: nn.Module,
    x: torch.Tensor,
    y: torch.Tensor,
    epsilon: float,
    step: float,
    iterations: int,
) -> torch.Tensor:
    return torch.from_numpy(_walk_by_differences(model, x, y, epsilon, [step] * iterations)).to(x.dtype)


def _targeted_numeric(
    replay: Replay,
    model: nn.Module,
    x: torch.Tensor,
    target: torch.Tensor,
    epsilon: float,
    step: float,
    iterations: int,
) -> tuple[torch.Tensor, torch.Tensor]:
    found = _walk_by_differences(model, x, target, epsilon, [-step] * iterations)
    logits = in_double(model)(torch.from_numpy(found)).detach().numpy()
    wanted = logits[np.arange(len(logits)), target.numpy()]
    return torch.from_numpy(found).to(x.dtype), torch.from_numpy(wanted >= logits.max(1))


fgsm = program_reference(
    "fgsm",
    stepped,
    "autograd in float64",
    _fgsm_numeric,
    "central differences of a cross entropy in numpy, for every pixel",
)
pgd = program_reference(
    "pgd",
    walked,
    "autograd in float64",
    _pgd_numeric,
    "central differences at every step; one box for both limits, in numpy",
)
targeted_pgd = program_reference(
    "targeted_pgd",
    walked_to,
    "autograd in float64",
    _targeted_numeric,
    "central differences at every step; the target's logit against the largest",
)
