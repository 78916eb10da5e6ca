"""Mistakes of robust_accuracy."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.adversarial.shared import read, things_as_found
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of
from autograder.references.adversarial.training import Attack, accuracy_under

TASK = "robust_accuracy"
_mistake = mistakes_of(TASK)


def _share(right: torch.Tensor) -> float:
    return right.double().mean().item()


def _of(change: Callable[[float, torch.Tensor], float]) -> Callable[..., float]:
    """What is made of the right answer."""
    return lambda model, x, y, attack: change(accuracy_under(model, x, y, attack), y)


def _of_those_read_right(model: nn.Module, x: torch.Tensor, y: torch.Tensor, attack: Attack) -> float:
    attacked, before = attack(model, x, y), read(model, x) == y
    return _share((read(model, attacked) == y)[before])


def _one_by_one(model: nn.Module, x: torch.Tensor, y: torch.Tensor, attack: Attack) -> float:
    parts = [attack(model, x[i : i + 1], y[i : i + 1]) for i in range(len(x))]
    return _share(read(model, torch.cat(parts)) == y)


def _twice(model: nn.Module, x: torch.Tensor, y: torch.Tensor, attack: Attack) -> float:
    attack(model, x, y)
    return accuracy_under(model, x, y, attack)


def _attacked_again(model: nn.Module, x: torch.Tensor, y: torch.Tensor, attack: Attack) -> float:
    return accuracy_under(model, attack(model, x, y), y, attack)


def _only_right_ones_attacked(model: nn.Module, x: torch.Tensor, y: torch.Tensor, attack: Attack) -> float:
    before = read(model, x) == y
    return _share(read(model, attack(model, x[before], y[before])) == y[before]) * _share(before)


LARGEST_OF_THE_BATCH = "The largest logit was looked for along the batch, or in all of it. Each image has its own."

ROBUST_ACCURACY = (
    *_mistake(
        "before the attack",
        "This is the accuracy on the images as they came. Which images does the attack return?",
        lambda model, x, y, attack: _share(read(model, x) == y),
        lambda model, x, y, attack: _share((attack(model, x, y), read(model, x))[1] == y),
    ),
    *_mistake(
        "the part that is misread",
        "This is the part of the images that the attack got misread. Asked for are those that are still read right.",
        _of(lambda share, y: 1 - share),
    ),
    *_mistake(
        "of those that were right",
        "Only images that were read right before the attack were counted, or attacked. All of them count.",
        _of_those_read_right,
        _only_right_ones_attacked,
    ),
    *_mistake(
        "read as before",
        "Counted were the images that are read as they were before the attack. What counts are the labels.",
        lambda model, x, y, attack: _share(read(model, attack(model, x, y)) == read(model, x)),
    ),
    *_mistake(
        "attack without the labels",
        "The attack got what the model reads. It goes against the labels that it is given, and these are `y`.",
        lambda model, x, y, attack: _share(read(model, attack(model, x, read(model, x))) == y),
    ),
    *_mistake(
        "how many, not which part",
        "This is the number of images that are read right, or per cent. Asked for is a part, from 0 to 1.",
        _of(lambda share, y: share * len(y)),
        _of(lambda share, y: 100 * share),
    ),
    *_mistake(
        "attacked one by one",
        "The attack was called for each image. It is called once, with all of them.",
        _one_by_one,
    ),
    *_mistake(
        "attacked twice",
        "The attack was called twice. Keep what it returned.",
        _twice,
        _attacked_again,
    ),
    *_mistake(
        "largest of the batch",
        LARGEST_OF_THE_BATCH,
        lambda model, x, y, attack: _share(model(attack(model, x, y)).argmax() == y),
    ),
    *things_as_found(TASK, accuracy_under, 1, "X"),
    Mistake(
        "attack without gradients",
        "The attack ran where gradients are switched off, and could not compute one. It may need them; only the "
        "reading afterwards does not.",
        raises="RuntimeError: (element \\d+ of tensors does not require grad|One of the differentiated|"
        "Inference tensors|Setting requires_grad=True on inference tensor)",
    ),
    Mistake(
        "largest of the batch",
        LARGEST_OF_THE_BATCH,
        raises="RuntimeError: The size of tensor a \\(\\d+\\) must match the size of tensor b",
    ),
)
