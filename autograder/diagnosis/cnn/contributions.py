"""Mistakes of contributions."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.cnn.shared import mistakes_of
from autograder.diagnosis.hypothesis import Mistake

TASK = "contributions"
_mistake = mistakes_of(TASK)


def _right(h: torch.Tensor, layer: nn.Linear, c: int) -> torch.Tensor:
    return h * layer.weight[c].detach()


def _after(change: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """What is made of (right answer, h, layer, c)."""
    return lambda h, layer, c: change(_right(h, layer, c), h, layer, c)


def _bias(layer: nn.Linear, c: int) -> torch.Tensor:
    if layer.bias is None:
        raise ValueError("there is no bias")
    return layer.bias[c].detach()


def _of_sample(h: torch.Tensor, layer: nn.Linear, c: int) -> torch.Tensor:
    if c >= len(h):
        raise ValueError("there is no such sample")
    found = torch.zeros_like(h)
    found[c] = h[c] * layer.weight.detach().sum(0)
    return found


def _marked(h: torch.Tensor, layer: nn.Linear, c: int) -> torch.Tensor:
    found = _right(h, layer, c)
    h.requires_grad_()
    return found


def _first_only(right: torch.Tensor, *given: object) -> torch.Tensor:
    return torch.cat([right[:1], torch.zeros_like(right[1:])])


CONTRIBUTIONS = (
    *_mistake(
        "sensitivity",
        "This is how far the logit moves with each input, its gradient. An input that is 0 contributes nothing, "
        "however large its gradient. See lesson 09, “Sensitivity and contribution”.",
        lambda h, layer, c: layer.weight[c].detach().expand_as(h),
    ),
    *_mistake(
        "added up",
        "Each row was added up. Its sum is the logit without the bias; asked for is what stands under the sum.",
        _after(lambda right, *given: right.sum(1)),
        _after(lambda right, *given: right.sum(1, keepdim=True)),
        _after(lambda right, h, layer, c: layer(h)[:, c].detach()),
    ),
    *_mistake(
        "the bias given to the inputs",
        "The bias was given to the inputs, so that the rows add up to the logit. It belongs to no input.",
        _after(lambda right, h, layer, c: right + _bias(layer, c)),
        _after(lambda right, h, layer, c: right + _bias(layer, c) / h.shape[1]),
    ),
    *_mistake(
        "counted from 1",
        "These are the contributions to the logit before the one that is meant. `c` counts from 0.",
        lambda h, layer, c: _right(h, layer, c - 1),
    ),
    *_mistake(
        "a sample for a class",
        "Number `c` was looked up along the batch. In `layer(h)` the samples come first and the classes second.",
        _of_sample,
    ),
    Mistake(
        "a sample for a class",
        "Number `c` was looked up along the batch. In `layer(h)` the samples come first and the classes second.",
        raises="IndexError: index \\d+ is out of bounds for dimension 0",
    ),
    Mistake(
        "columns of the weight",
        "A Linear layer's weight has a row for each output and a column for each input. Which of them does `c` number?",
        raises="RuntimeError: The size of tensor a|IndexError: index \\d+ is out of bounds for dimension 1",
    ),
    *_mistake(
        "all classes",
        "These are the contributions to the sum of all logits. One of them, number `c`, is asked for.",
        lambda h, layer, c: h * layer.weight.detach().sum(0),
    ),
    *_mistake(
        "mean over the batch",
        "Everything was divided by the number of samples. Each sample has a logit of its own.",
        _after(lambda right, *given: right / len(right)),
    ),
    *_mistake(
        "first sample only",
        "Only the first sample's row is filled, and the others are 0. Each sample has its own contributions.",
        _after(_first_only),
    ),
    *_mistake(
        "shares",
        "Each row was divided by its sum, or by the logit. Contributions are parts of the logit, in its own units.",
        _after(lambda right, *given: right / right.sum(1, keepdim=True)),
        _after(lambda right, h, layer, c: right / layer(h)[:, c : c + 1].detach()),
    ),
    *_mistake(
        "negative ones left out",
        "Contributions below 0 are missing. An input may pull the logit down, and the rows add up only with all of "
        "them.",
        _after(lambda right, *given: right.clamp(min=0)),
    ),
    *_mistake(
        "the caller's tensor marked",
        "The caller's `h` requires a gradient afterwards, and did not before. Make a leaf of your own. See lesson 03, "
        "“A leaf of your own”.",
        _marked,
    ),
    Mistake(
        "no bias",
        "A Linear layer may have been made without a bias; its `bias` is then None. Do contributions need it?",
        raises="'NoneType' object|NoneType",
    ),
)
