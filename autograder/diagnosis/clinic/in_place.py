"""Mistakes of damped_tanh."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.custom_functions.functions import NothingArrived
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of

_mistake = mistakes_of("damped_tanh")


def _as_given(x: torch.Tensor) -> torch.Tensor:
    y = torch.tanh(x)
    y.data[y.data < 0] *= 0.1
    return y


def _on_a_copy(x: torch.Tensor) -> torch.Tensor:
    y = torch.tanh(x).clone()
    y.data[y.data < 0] *= 0.1
    return y


def _gated(positive: float, negative: float, curve: Callable = torch.tanh) -> Callable[[torch.Tensor], torch.Tensor]:
    return lambda x: curve(x) * torch.where(x < 0, negative, positive)


def _cut(x: torch.Tensor) -> torch.Tensor:
    y = torch.tanh(x)
    return torch.where(y < 0, (0.1 * y).detach(), y)


def _inside(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(torch.where(x < 0, 0.1 * x, x))


DAMPED_TANH = (
    *_mistake(
        "as given: right values, wrong slopes",
        "Every value is right, and the gradient is too large where x is negative. Let `gradcheck` compare, and ask "
        "what tanh keeps for its backward pass. See lesson 11, “Values changed behind autograd's back”.",
        _as_given,
    ),
    *_mistake(
        "damped in the values only",
        "Every value is right, and the gradient where x is negative is that of tanh itself: autograd does not know of "
        "the 0.1.",
        _on_a_copy,
    ),
    *_mistake(
        "negative part cut off",
        "Every value is right, and no gradient comes back from the negative ones.",
        _cut,
    ),
    NothingArrived(
        "connected to nothing",
        "Nothing leads back to `x` from the result, or from the gradient when that is differentiated again: somewhere "
        "it became a tensor of its own.",
        raises="RuntimeError: (.* appears? to not have been used|element \\d+ of tensors does not require|"
        "trying to differentiate twice)",
    ),
    *_mistake(
        "damped inside",
        "The input of tanh was damped. The task damps what comes out of it.",
        _inside,
    ),
    *_mistake(
        "positive part damped",
        "The positive values were damped, and the negative ones left.",
        _gated(0.1, 1.0),
    ),
    *_mistake("everything damped", "The positive values were damped too.", _gated(0.1, 0.1)),
    *_mistake("nothing damped", "This is tanh, as it is.", torch.tanh),
    *_mistake(
        "relu instead",
        "The negative values are gone. A tenth of them stays.",
        _gated(1.0, 0.0),
    ),
    *_mistake(
        "without tanh", "This is x, a tenth of it where it is negative.", _gated(1.0, 0.1, lambda x: x + 0 * x**2)
    ),
    Mistake(
        "written in place",
        "A backward pass needs the numbers that were written over; `detach()` lets autograd notice, where `.data` does "
        "not. Make a new tensor instead. See lesson 11, “Values changed behind autograd's back”.",
        raises="RuntimeError: (one of the variables needed for gradient computation has been modified|a leaf Variable"
        "|a view of a leaf)",
    ),
)
