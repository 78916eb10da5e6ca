"""micro_batches: parts with their shares, and differences of the mean over single samples."""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch
from torch import nn

from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
Tensors = list[torch.Tensor]


def _micro_batches(model: nn.Module, loss_fn: Loss, batch: torch.Tensor, y: torch.Tensor, parts: int) -> Tensors:
    model.zero_grad()
    for some, targets in zip(batch.tensor_split(parts), y.tensor_split(parts), strict=True):
        (loss_fn(model(some), targets) * (len(some) / len(batch))).backward()
    return [parameter.grad.clone() for parameter in model.parameters()]


def _by_differences(
    replay: Replay, model: nn.Module, loss_fn: Loss, batch: torch.Tensor, y: torch.Tensor, parts: int
) -> Tensors:
    wide = copy.deepcopy(model).double()
    samples = [(batch[i : i + 1].double(), _wide(y[i : i + 1])) for i in range(len(batch))]

    def gradient(parameter: nn.Parameter) -> torch.Tensor:
        def mean(values: torch.Tensor) -> torch.Tensor:
            parameter.data = values
            return sum(loss_fn(wide(sample), target) for sample, target in samples) / len(samples)

        own = parameter.data
        found = numeric.gradient(mean, own)
        parameter.data = own
        return found

    return [gradient(one).to(parameter.dtype) for one, parameter in _pairs(wide, model)]


def _wide(y: torch.Tensor) -> torch.Tensor:
    return y.double() if y.is_floating_point() else y


def _pairs(one: nn.Module, other: nn.Module) -> list[tuple[nn.Parameter, nn.Parameter]]:
    """The parameters of two models of one make, side by side."""
    return list(zip(one.parameters(), other.parameters(), strict=True))


micro_batches = program_reference(
    "micro_batches",
    _micro_batches,
    "autograd in float64",
    _by_differences,
    "central differences of the mean over samples taken one by one",
)
