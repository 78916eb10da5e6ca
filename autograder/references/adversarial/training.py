"""Accuracy under an attack, and a step of training on attacked images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from autograder.references import numeric
from autograder.references.adversarial.attacks import loss_by_numpy, slope_by_differences, stepped
from autograder.references.cnn.inner import in_double
from autograder.references.replay import Replay, program_reference

Attack = Callable[[nn.Module, torch.Tensor, torch.Tensor], torch.Tensor]


def accuracy_under(model: nn.Module, x: torch.Tensor, y: torch.Tensor, attack: Attack) -> float:
    """The part of the attacked images that are read right."""
    attacked = attack(model, x, y)
    with torch.no_grad():
        return (model(attacked).argmax(1) == y).double().mean().item()


def _counted(replay: Replay, model: nn.Module, x: torch.Tensor, y: torch.Tensor, attack: Attack) -> float:
    logits = model(attack(model, x, y)).tolist()
    right = [label for row, label in zip(logits, y.tolist(), strict=True) if row.index(max(row)) == label]
    return len(right) / len(y)


def trained_on(model: nn.Module, optimizer: Any, images: torch.Tensor, y: torch.Tensor) -> float:
    """A step of the optimizer on these images; the loss before it."""
    optimizer.zero_grad()
    loss = functional.cross_entropy(model(images), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def hardened(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
    """A step of the optimizer on the images of one sign step."""
    return trained_on(model, optimizer, stepped(model, x, y, epsilon), y)


def _hardened_numeric(
    replay: Replay, model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float
) -> float:
    """Images and gradients by differences; only the optimizer's own arithmetic is torch's."""
    way = torch.from_numpy(slope_by_differences(model, x, y))
    images = (x.double() + torch.where(way > 0, epsilon, -epsilon)).clamp(0, 1)
    wide = in_double(model)
    before = loss_by_numpy(wide(images), y).item() / len(y)
    for own, copy in zip(model.parameters(), wide.parameters(), strict=True):
        if own.requires_grad:
            own.grad = _of_parameter(wide, copy, images, y).to(own.dtype) / len(y)
    optimizer.step()
    return before


def _of_parameter(model: nn.Module, parameter: nn.Parameter, images: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    start = parameter.detach().clone()

    def loss(moved: torch.Tensor) -> torch.Tensor:
        parameter.data.copy_(moved)
        return loss_by_numpy(model(images), y)

    found = numeric.gradient(loss, start)
    parameter.data.copy_(start)
    return found


robust_accuracy = program_reference(
    "robust_accuracy", accuracy_under, "one comparison of tensors", _counted, "counted in plain Python, one by one"
)
adversarial_step = program_reference(
    "adversarial_step",
    hardened,
    "autograd in float64",
    _hardened_numeric,
    "central differences for pixels and parameters",
)
