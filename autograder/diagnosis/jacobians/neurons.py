"""Mistakes of neuron_gradient."""

from __future__ import annotations

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import as_found, mistakes_of
from autograder.references.jacobians import leaf_of

TASK = "neuron_gradient"
_mistake = mistakes_of(TASK)


def _of_neuron(model: nn.Module, inputs: torch.Tensor, k: int) -> torch.Tensor:
    leaf = leaf_of(inputs)
    return torch.autograd.grad(model(leaf)[:, k].sum(), leaf)[0]


def _of_sample(model: nn.Module, inputs: torch.Tensor, k: int) -> torch.Tensor:
    leaf = leaf_of(inputs)
    output = model(leaf)
    if k >= len(output):
        raise ValueError("there is no such sample")
    return torch.autograd.grad(output[k].sum(), leaf)[0]


def _of_all(model: nn.Module, inputs: torch.Tensor, k: int) -> torch.Tensor:
    leaf = leaf_of(inputs)
    return torch.autograd.grad(model(leaf).sum(), leaf)[0]


def _of_first_sample(model: nn.Module, inputs: torch.Tensor, k: int) -> torch.Tensor:
    leaf = leaf_of(inputs)
    return torch.autograd.grad(model(leaf)[0, k], leaf)[0]


def _whole_table(model: nn.Module, inputs: torch.Tensor, k: int) -> torch.Tensor:
    return torch.autograd.functional.jacobian(lambda leaf: model(leaf)[:, k], inputs)


NEURON_GRADIENT = (
    *as_found(TASK, _of_neuron),
    Mistake(
        "works for one sample only",
        "`model(X)[:, k]` is a number for each sample, and with more than one sample that is a vector. See lesson 07, "
        "“One neuron, many samples”.",
        raises="RuntimeError: grad can be implicitly created only for scalar outputs",
    ),
    *_mistake(
        "first sample only",
        "Only the first sample's row is filled, and the others are 0. Each sample has its own gradient.",
        _of_first_sample,
    ),
    *_mistake(
        "counted from 1",
        "This is the gradient of the neuron before the one that is meant. `k` counts from 0.",
        lambda model, inputs, k: _of_neuron(model, inputs, k - 1),
    ),
    *_mistake(
        "mean over the batch",
        "Everything was divided by the number of samples. A mean over the batch does that.",
        lambda model, inputs, k: _of_neuron(model, inputs, k) / len(inputs),
    ),
    *_mistake(
        "all neurons",
        "This is the gradient of the sum of all neurons. One of them, number `k`, is asked for.",
        _of_all,
    ),
    *_mistake(
        "a sample for a neuron",
        "Output number `k` was looked up along the batch. In `model(X)` the samples come first and the neurons second.",
        _of_sample,
    ),
    Mistake(
        "a sample for a neuron",
        "Output number `k` was looked up along the batch. In `model(X)` the samples come first and the neurons second.",
        raises="IndexError: index \\d+ is out of bounds for dimension 0",
    ),
    *_mistake(
        "the whole table",
        "This has a row for each pair of samples: the neuron for one, with respect to the inputs of the other. Only "
        "each sample with itself is asked for.",
        _whole_table,
    ),
    *_mistake(
        "samples added up",
        "The samples' gradients were added into one row. Each sample keeps its own.",
        lambda model, inputs, k: _of_neuron(model, inputs, k).sum(0),
    ),
)
