"""Mistakes of ridge_loss."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of

_mistake = mistakes_of("ridge_loss")
Tensors = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def _error(w: torch.Tensor, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return ((inputs @ w - y) ** 2).mean()


def _with(penalty: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    """The right error and another penalty."""
    return lambda w, inputs, y, strength: _error(w, inputs, y) + strength * penalty(w)


def _squares(w: torch.Tensor) -> torch.Tensor:
    return (w**2).sum()


def _summed(w: torch.Tensor, inputs: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    return ((inputs @ w - y) ** 2).sum() + strength * _squares(w)


def _halved(w: torch.Tensor, inputs: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    return _error(w, inputs, y) + strength / 2 * _squares(w)


def _around_all(w: torch.Tensor, inputs: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    return ((inputs @ w - y) ** 2 + strength * _squares(w)).sum()


def _taken_away(w: torch.Tensor, inputs: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    return _error(w, inputs, y) - strength * _squares(w)


def _data_cut(w: torch.Tensor, inputs: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    """The caller's data stay without a gradient; 0 times them, so that a program that asks gets one."""
    return _error(w, inputs.detach() + 0 * inputs, y.detach() + 0 * y) + strength * _squares(w)


def _error_cut(w: torch.Tensor, inputs: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    return _error(w, inputs, y).detach() + strength * _squares(w)


RIDGE_LOSS = (
    *_mistake(
        "as given: the strength moves no gradient",
        "The loss is right and its gradient is that without a penalty. Draw the graph of the loss: which ways lead to "
        "`w`? See lesson 11, “Numbers without a history”.",
        _with(lambda w: _squares(w.detach())),
    ),
    *_mistake(
        "no penalty at all",
        "Neither the loss nor its gradient has a penalty in it.",
        lambda w, inputs, y, strength: _error(w, inputs, y),
    ),
    *_mistake(
        "sizes instead of squares",
        "The penalty adds up the sizes of the weights. Asked for are their squares.",
        _with(lambda w: w.abs().sum()),
    ),
    *_mistake(
        "length instead of squares",
        "The penalty is the length of `w`, a root. Asked for is the sum of the squares under it.",
        _with(torch.norm),
    ),
    *_mistake(
        "square of the sum",
        "The penalty squares the sum of the weights, in which they cancel. Each weight is squared by itself.",
        _with(lambda w: w.sum() ** 2),
    ),
    *_mistake(
        "penalty averaged",
        "The penalty is too small by the number of weights: it is a sum, the error is a mean.",
        _with(lambda w: (w**2).mean()),
    ),
    *_mistake(
        "half of the penalty's gradient",
        "The loss is right, and the penalty's share of the gradient is half of what it should be: one of the two "
        "factors of each square has no history.",
        _with(lambda w: (w * w.detach()).sum()),
    ),
    *_mistake("penalty halved", "The penalty is half as large as the task says.", _halved),
    *_mistake("penalty taken away", "The penalty makes the loss smaller.", _taken_away),
    *_mistake("error not averaged", "The squared errors were added up. Asked for is their mean.", _summed),
    *_mistake(
        "penalty once for each row",
        "Errors and penalty were added up over the rows. The error is to be a mean, and the penalty counts once.",
        _around_all,
    ),
    *_mistake(
        "the error's gradient lost",
        "The loss is right, and only the penalty has a gradient. What cut the error off?",
        _error_cut,
    ),
    Mistake(
        "no graph behind the loss",
        "Nothing that requires a gradient leads to this loss: numbers were taken out of tensors on the way.",
        raises="RuntimeError: element \\d+ of tensors does not require grad|AttributeError: 'float' object has no "
        "attribute 'backward'",
    ),
)
