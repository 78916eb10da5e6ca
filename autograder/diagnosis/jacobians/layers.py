"""Mistakes of first_layer_jacobian."""

from __future__ import annotations

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import as_found, matrix, mistakes_of, rows_mixed, weight_of

TASK = "first_layer_jacobian"
_mistake = mistakes_of(TASK)


def _weight_grad(layer: nn.Module, x: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad(layer(x).sum(), weight_of(layer))[0]


def _one_grad_for_all(layer: nn.Module, x: torch.Tensor) -> torch.Tensor:
    found = matrix(layer, x)
    return found.sum(0, keepdim=True).expand_as(found)


FIRST_LAYER_JACOBIAN = (
    *as_found(TASK, matrix),
    *rows_mixed(TASK, matrix),
    *_mistake(
        "weight.grad",
        "This is the gradient of the outputs' sum with respect to the weights. It has the same shape. What is asked "
        "for is of the outputs, with respect to the input.",
        _weight_grad,
    ),
    *_mistake(
        "the weight itself",
        "This is the layer's weight. It is the Jacobian of a Linear layer alone, not of one with an activation or a "
        "normalisation.",
        lambda layer, x: weight_of(layer),
    ),
    Mistake(
        "the weight itself",
        "Not every layer has a `weight`, and where it has one it need not be the Jacobian. Ask autograd.",
        raises="AttributeError: '\\w+' object has no attribute '(weight|bias|in_features|out_features)'",
    ),
    *_mistake(
        "one .grad for all rows",
        "All rows are equal, and each is the sum of them all. `x.grad` is one tensor, to which each backward pass "
        "adds. See lesson 03, “Aliases of .grad, and zero_grad”.",
        _one_grad_for_all,
    ),
    *_mistake(
        "batch axes left in",
        "The axes of the batch of one are still there. Which index takes them away, and only them?",
        lambda layer, x: torch.autograd.functional.jacobian(layer, x),
        lambda layer, x: matrix(layer, x).unsqueeze(1),
    ),
    *_mistake(
        "squeezed too far",
        "With a single output or input an axis is missing. `squeeze()` removes every axis of size 1, the batch's and "
        "the others.",
        lambda layer, x: matrix(layer, x).squeeze(),
    ),
    Mistake(
        "one-hot of another shape",
        "`grad_outputs` must have the shape of the output, (1, out), with its batch axis. See lesson 07, "
        "“Vector-Jacobian products”.",
        raises="RuntimeError: Mismatch in shape: grad_output",
    ),
    Mistake(
        "one-hot of another shape",
        "With `is_grads_batched` the axis of the rows stands in front of the output's own axes, the batch of one "
        "included. See lesson 07, “All rows in one call”.",
        raises="RuntimeError: If `is_grads_batched=True`",
    ),
    Mistake(
        "an axis that is not there",
        "An index counted along the wrong axis. x and the output have a batch axis of size 1 in front.",
        raises="IndexError: (index \\d+ is out of bounds for dimension 0 with size 1|too many indices)",
    ),
)
