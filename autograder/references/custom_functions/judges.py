"""Two judges of a Function: torch's own, and one that compares tables of derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.references import numeric


def _leaves(inputs: tuple) -> list[Any]:
    """The inputs, with a leaf of its own for each tensor."""
    return [one.detach().clone().requires_grad_() if isinstance(one, torch.Tensor) else one for one in inputs]


def by_gradcheck(function: Callable, inputs: tuple) -> bool:
    """Whether torch.autograd.gradcheck accepts it."""
    return torch.autograd.gradcheck(function, tuple(_leaves(inputs)), raise_exception=False, check_undefined_grad=False)


def by_tables(function: Callable, inputs: tuple) -> bool:
    """Whether the table of derivatives, row by row from backward, is that of central differences."""
    return all(_agree(function, inputs, place) for place, one in enumerate(inputs) if isinstance(one, torch.Tensor))


def _agree(function: Callable, inputs: tuple, place: int) -> bool:
    leaves = _leaves(inputs)
    output = function(*leaves).reshape(-1)
    rows = [
        torch.autograd.grad(one, leaves[place], retain_graph=True, materialize_grads=True)[0].reshape(-1)
        for one in output
    ]

    def moved(tensor: torch.Tensor) -> torch.Tensor:
        return function(*(tensor if i == place else one for i, one in enumerate(inputs))).reshape(-1)

    table = numeric.jacobian(moved, inputs[place]).reshape(len(output), -1)
    return bool(((torch.stack(rows) - table).abs() <= 1e-4 * (1 + table.abs())).all())
