"""Jacobians row by row, kinds of layers, and mistakes that mix the rows: what several tasks of exercise 07 use."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import torch
from torch import nn

from autograder.checks.draws.ends import flatter, span
from autograder.checks.draws.torch_modules import made
from autograder.diagnosis import Mistake
from autograder.references.leaves import leaf_of

DIFFERENCES = "central differences of every output for every input"


def rows(outputs: torch.Tensor, leaf: torch.Tensor) -> torch.Tensor:
    """The gradient of each of `outputs`, a tensor of one axis, with respect to `leaf`: (len(outputs), *leaf.shape)."""
    return torch.stack([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in outputs])


def matrix(layer: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """The Jacobian of a layer: (out, in)."""
    leaf = leaf_of(x)
    return rows(layer(leaf)[0], leaf)[:, 0]


ROWS = "autograd in float64, row by row"

LAYERS = (
    "nn.Sequential(nn.Linear({i}, {o}), nn.Tanh())",
    "nn.Sequential(nn.LayerNorm({i}), nn.Linear({i}, {o}))",
    "nn.Sequential(nn.Linear({i}, {o}), nn.Softplus())",
    "Bumps({i}, {o})",
)
"""Kinds of layers whose Jacobian is not a weight."""


def layer_lines(source: Random, outputs: int | None = None) -> tuple[str, int, int]:
    """Return lines that make a layer, and how many inputs and outputs it has."""
    i, o = source.randint(3, 4), outputs or source.randint(2, 4)
    text = source.choice(LAYERS[:-1] if span() else LAYERS).format(i=i, o=o)
    return made(source, "layer", text) + ("" if "Norm" in text else flatter("layer[0]")), i, o


def rows_mixed(right: Callable[..., torch.Tensor]) -> tuple[Mistake, ...]:
    """Return the mistakes that give one row instead of the matrix.

    Args:
        right: a right implementation.
    """
    return (
        Mistake(
            "rows summed",
            "The rows of the matrix are added up: this is the gradient of the sum of the outputs, as with ones "
            "for `grad_outputs`. Each output has its own row.",
            lambda *given: right(*given).sum(-2),
            lambda *given: right(*given).sum(-2, keepdim=True),
        ),
        Mistake(
            "rows averaged",
            "This is the gradient of the mean of the outputs, a single row for all of them. Each output has its "
            "own row.",
            lambda *given: right(*given).mean(-2),
            lambda *given: right(*given).mean(-2, keepdim=True),
        ),
    )


def net(source: Random, inputs: int, outputs: int) -> str:
    width = source.randint(3, 5)
    activation = source.choice(("nn.Tanh()", "nn.Softplus()", "nn.Sigmoid()"))
    norm = source.choice(("", f"nn.LayerNorm({width}), "))
    return f"nn.Sequential(nn.Linear({inputs}, {width}), {norm}{activation}, nn.Linear({width}, {outputs}))"
