"""Mistakes of after_relu."""

from __future__ import annotations

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import as_found, matrix, mistakes_of, rows_mixed
from autograder.references import numeric

TASK = "after_relu"
_mistake = mistakes_of(TASK)


def _before(model: nn.Sequential, x: torch.Tensor) -> torch.Tensor:
    return model[0](x)[0].detach().clone()


def _rows_times(factor: torch.Tensor, model: nn.Sequential) -> torch.Tensor:
    return factor.to(model[0].weight.dtype).reshape(-1, 1) * model[0].weight.detach()


def _gate_on_columns(model: nn.Sequential, x: torch.Tensor) -> torch.Tensor:
    return model[0].weight.detach() * (x > 0)


def _gate_along_rows(model: nn.Sequential, x: torch.Tensor) -> torch.Tensor:
    gate = _before(model, x) > 0
    if len(gate) != x.shape[1]:
        raise ValueError("as many units as inputs are needed")
    return model[0].weight.detach() * gate


def _unchanged_units(model: nn.Sequential, x: torch.Tensor) -> torch.Tensor:
    kept = model[0](x)
    result = model[1](kept)
    return _rows_times((result == kept)[0], model)


AFTER_RELU = (
    *as_found(TASK, matrix),
    *_mistake(
        "gate forgotten",
        "Rows of units that the ReLU shuts are not 0. What is the slope of relu below 0?",
        lambda model, x: model[0].weight.detach(),
    ),
    *_mistake(
        "gate on the inputs",
        "Columns are 0 where x is not above 0. The gate looks at the units behind the Linear layer, not at the inputs.",
        _gate_on_columns,
    ),
    *_mistake(
        "gate on the columns",
        "The gate of the units was multiplied onto the columns. A unit has a row. Which shape must the gate have, so "
        "that it broadcasts along rows?",
        _gate_along_rows,
    ),
    Mistake(
        "gate on the columns",
        "Something with an entry for each unit was multiplied onto the columns, of which there is one for each input. "
        "A unit has a row.",
        raises="RuntimeError: The size of tensor a",
    ),
    *_mistake(
        "open at 0",
        "A unit that is exactly 0 was let through. By the convention of this course, and of PyTorch, relu has the "
        "slope 0 there.",
        lambda model, x: _rows_times(_before(model, x) >= 0, model),
    ),
    *_mistake(
        "half at 0",
        "A unit that is exactly 0 has half of its row: nudged both ways, one nudge passes and the other does not. The "
        "convention there is 0.",
        lambda model, x: numeric.jacobian(model, x)[0, :, 0],
    ),
    *_mistake(
        "value for slope",
        "The rows were multiplied by what the ReLU puts out. Its slope is asked for, which is 1 or 0.",
        lambda model, x: _rows_times(_before(model, x).clamp(min=0), model),
    ),
    *_mistake(
        "overwritten in place",
        "An in-place ReLU writes into the Linear layer's output: what was kept before it is the result after it.",
        _unchanged_units,
    ),
    *rows_mixed(TASK, matrix),
    Mistake(
        "no bias",
        "A Linear layer may have been made without a bias; its `bias` is then None. The layer itself knows what to do: "
        "call it.",
        raises="TypeError: unsupported operand type\\(s\\) for [-+]=?: 'Tensor' and 'NoneType'|"
        "'NoneType' object has no attribute|TypeError: .*NoneType",
    ),
)
