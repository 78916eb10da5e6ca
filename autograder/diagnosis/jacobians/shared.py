"""Mistakes that several tasks of exercise 07 share, and small steps that wrong answers are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.jacobians import leaf_of, rows
from autograder.references.replay import under


def matrix(layer: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """The Jacobian of a layer: (out, in)."""
    leaf = leaf_of(x)
    return rows(layer(leaf)[0], leaf)[:, 0]


def weight_of(layer: nn.Module) -> nn.Parameter:
    """The first parameter with two axes.

    Raises:
        ValueError: where there is none.
    """
    for parameter in layer.parameters():
        if parameter.dim() == 2:
            return parameter
    raise ValueError("no parameter has two axes")


def mistakes_of(task: str) -> Callable[..., tuple[Mistake, ...]]:
    """From name, sentence and wrong implementations, one or several, to the mistakes of this task."""
    return lambda name, sentence, *ways: tuple(Mistake(name, sentence, under(task, way)) for way in ways)


def as_found(task: str, right: Callable[..., Any]) -> tuple[Mistake, ...]:
    """Right numbers, and the caller's tensor or the model is not what it was.

    Args:
        task: the task's name.
        right: a right implementation; its first two arguments are the model and its input.
    """

    def marking(model: Any, x: torch.Tensor, *rest: Any) -> Any:
        found = right(model, x, *rest)
        x.requires_grad_()
        return found

    def left_in(training: bool) -> Callable[..., Any]:
        def implementation(model: nn.Module, *rest: Any) -> Any:
            found = right(model, *rest)
            model.train(training)
            return found

        return implementation

    return (
        *mistakes_of(task)(
            "the caller's tensor marked",
            "The caller's tensor requires a gradient afterwards, and did not before. Make a leaf of your own. See "
            "lesson 03, “A leaf of your own”.",
            marking,
        ),
        *mistakes_of(task)(
            "mode changed",
            "A module is in another mode than before. `train()` and `eval()` set every module below; the task asks "
            "for the mode in which the model was found.",
            left_in(False),
            left_in(True),
        ),
    )


def rows_mixed(task: str, right: Callable[..., torch.Tensor]) -> tuple[Mistake, ...]:
    """One row in place of the matrix."""
    mistake = mistakes_of(task)
    return (
        *mistake(
            "rows summed",
            "The rows of the matrix were added up: this is the gradient of the sum of the outputs, or ones were given "
            "as `grad_outputs`. Each output has a row of its own.",
            lambda *given: right(*given).sum(-2),
            lambda *given: right(*given).sum(-2, keepdim=True),
        ),
        *mistake(
            "rows averaged",
            "This is the gradient of the mean of the outputs, one row for them all: the rows' sum, divided. Each "
            "output has a row of its own.",
            lambda *given: right(*given).mean(-2),
            lambda *given: right(*given).mean(-2, keepdim=True),
        ),
    )
