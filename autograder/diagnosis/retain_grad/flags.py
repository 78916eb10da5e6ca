"""Mistakes of keeps_grad: rules that look at too few flags, or at something else."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under


def _mistake(name: str, sentence: str, rule: Callable[[torch.Tensor], bool]) -> Mistake:
    return Mistake(
        name, sentence, under("keeps_grad", lambda tensors: {key: rule(one) for key, one in tensors.items()})
    )


KEEPS_GRAD = (
    _mistake(
        "requires_grad alone",
        "Everything that takes part is said to keep its gradient. Inner tensors take part too, and a pass leaves "
        "nothing in most of them.",
        lambda tensor: tensor.requires_grad,
    ),
    _mistake(
        "is_leaf alone",
        "Every leaf is said to get a gradient, and no other tensor. Plain data is a leaf too: does a pass come by?",
        lambda tensor: tensor.is_leaf,
    ),
    _mistake(
        "retained tensors forgotten",
        "Leaves are told from inner tensors. An inner tensor that was asked to keep its gradient keeps it; which "
        "flag says that it was asked?",
        lambda tensor: tensor.requires_grad and tensor.is_leaf,
    ),
    _mistake(
        "requires_grad forgotten",
        "A reason to keep a gradient is not enough: a tensor has to take part at all. Plain data and frozen "
        "weights do not.",
        lambda tensor: tensor.is_leaf or tensor.retains_grad,
    ),
    _mistake(
        "retains_grad alone",
        "Only tensors on which `retain_grad()` was called are said to keep a gradient. Which keep one unasked?",
        lambda tensor: tensor.retains_grad,
    ),
    _mistake(
        ".grad as it is now",
        "This tells whose `.grad` is filled now. That may be from an earlier pass, and a weight that was never used "
        "has none yet; the question is about the next pass.",
        lambda tensor: tensor.grad is not None,
    ),
    _mistake(
        "parameters only",
        "Only an `nn.Parameter` is said to keep its gradient. Autograd makes no difference between it and any other "
        "leaf that requires one.",
        lambda tensor: isinstance(tensor, nn.Parameter),
    ),
    _mistake(
        "the wrong way round",
        "Every answer is the opposite of what is right.",
        lambda tensor: not (tensor.requires_grad and (tensor.is_leaf or tensor.retains_grad)),
    ),
)
