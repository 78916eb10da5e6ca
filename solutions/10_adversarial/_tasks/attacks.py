"""Attacks on images. tests/tasks/test_adversarial_robustness_toolbox.py compares them with the toolbox of that name."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder.references import numeric
from autograder.references.leaves import in_double, leaf_of


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


def walk_by_differences(
    model: nn.Module, x: torch.Tensor, classes: torch.Tensor, epsilon: float, moves: list[float]
) -> np.ndarray:
    """Steps of these sizes up the cross entropy, or down where a size is negative, each projected."""
    start = x.double().numpy()
    low, high = np.maximum(start - epsilon, 0), np.minimum(start + epsilon, 1)
    now = start
    for move in moves:
        way = slope_by_differences(model, torch.from_numpy(now), classes)
        now = np.clip(np.where(way > 0, now + move, now - move), low, high)
    return now
