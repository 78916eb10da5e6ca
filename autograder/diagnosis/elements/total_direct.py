"""Mistakes of total_and_direct."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis.elements.single_elements import (
    BACKWARD,
    CLEARED,
    NOT_IN_THE_GRAPH,
    OUT_OF_BOUNDS,
    numbers_from,
)
from autograder.diagnosis.hypothesis import Mistake


def _derivatives(x: torch.Tensor, i: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What is right: the gradient of the whole tensor, and the derivative by the factor."""
    factor = x[i]
    return torch.autograd.grad(factor * x.sum(), (x, factor))


def _changed(change: Callable[[torch.Tensor, torch.Tensor, torch.Tensor, int], Any]) -> Callable:
    """An implementation that makes `change(gradient, direct, x, i)` of what is right."""
    return lambda x, i: change(*_derivatives(x, i), x.detach(), i)


def _by_backward(before: bool = False, after: bool = False) -> Callable:
    """By backward() on the caller's tensor, its `.grad` cleared before or after."""

    def implementation(x: torch.Tensor, i: int) -> tuple:
        if before:
            x.grad = None
        factor = x[i]
        factor.retain_grad()
        (factor * x.sum()).backward()
        total = x.grad[i].clone()
        if after:
            x.grad = None
        return total, factor.grad

    return implementation


def _mistake(name: str, sentence: str, implementation: Callable, raises: str = "") -> Mistake:
    return Mistake(name, sentence, numbers_from("total_and_direct", implementation), raises)


TOTAL_AND_DIRECT = (
    _mistake(
        "x[i] indexed again",
        "`x[i]` written a second time is another tensor, from which `y` was not computed. The tensor that you ask "
        "about and the factor in `y` must be one object.",
        _changed(lambda gradient, direct, x, i: (gradient[i], 0.0)),
        NOT_IN_THE_GRAPH,
    ),
    _mistake(
        ".grad of a new tensor",
        "The second number is None: `x[i]` written after the pass is a new tensor, at which nothing has arrived.",
        _changed(lambda gradient, direct, x, i: (gradient[i], None)),
    ),
    _mistake(
        "swapped",
        "The two numbers stand in each other's place. Which one counts the path through the sum as well?",
        _changed(lambda gradient, direct, x, i: (direct, gradient[i])),
    ),
    _mistake("backward instead of grad", BACKWARD, _by_backward()),
    _mistake("x.grad cleared", CLEARED, _by_backward(before=True)),
    _mistake("x.grad cleared", CLEARED, _by_backward(before=True, after=True)),
    _mistake("x.grad cleared", CLEARED, _by_backward(after=True)),
    _mistake(
        "the total twice",
        "Both numbers are the total derivative. For the direct one only the factor moves, so the factor needs a "
        "tensor of its own to ask about.",
        _changed(lambda gradient, direct, x, i: (gradient[i], gradient[i])),
    ),
    _mistake(
        "the direct one twice",
        "The first number leaves out the path through the sum. If the element of `x` itself moves, the sum moves too.",
        _changed(lambda gradient, direct, x, i: (direct, direct)),
    ),
    _mistake(
        "the path through the sum",
        "The second number is the share that comes through the sum. The path through the factor alone is asked for.",
        _changed(lambda gradient, direct, x, i: (gradient[i], x[i])),
    ),
    _mistake(
        "the whole gradient",
        "The gradient holds one number for each element of `x`. One of them is asked for.",
        _changed(lambda gradient, direct, x, i: (gradient, direct)),
    ),
    _mistake(
        "the lesson's formula",
        "The numbers 3 and 2 belong to the lesson's alarm level. Here `y` is a product of `x[i]` with the sum.",
        lambda x, i: (3.0, 2.0),
    ),
    _mistake(
        "the sum's path only",
        "The total derivative is `x[i]`, the share that comes through the sum. Either the factor was cut off from `x`, "
        "or the number was read at another element, which reaches `y` through the sum alone.",
        _changed(lambda gradient, direct, x, i: (gradient.roll(1)[i], direct)),
    ),
    OUT_OF_BOUNDS,
)
