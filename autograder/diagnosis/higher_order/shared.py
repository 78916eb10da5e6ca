"""Mistakes that several tasks of exercise 08 share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.higher_order.by_autograd import next_derivative
from autograder.references.replay import under


def mistakes_of(task: str) -> Callable[..., tuple[Mistake, ...]]:
    """From name, sentence and wrong implementations, one or several, to the mistakes of this task."""
    return lambda name, sentence, *ways: tuple(Mistake(name, sentence, under(task, way)) for way in ways)


def marked(task: str, right: Callable[..., Any], place: int = 1) -> tuple[Mistake, ...]:
    """Right numbers, and the caller's tensor is a leaf that requires a gradient afterwards.

    Args:
        task: the task's name.
        right: a right implementation.
        place: which of its arguments is the tensor.
    """

    def implementation(*given: Any) -> Any:
        found = right(*given)
        given[place].requires_grad_()
        return found

    return mistakes_of(task)(
        "the caller's tensor marked",
        "The caller's tensor requires a gradient afterwards, and did not before. Make a leaf of your own. See lesson "
        "03, “A leaf of your own”.",
        implementation,
    )


NOTHING_LEFT = Mistake(
    "nothing left to differentiate",
    "What was to be differentiated has a graph, and x is not in it: it does not depend on x, so that its derivative is "
    "0. `grad` raises there unless it is told otherwise.",
    raises="RuntimeError: .* appears? to not have been used in the graph",
)


def without_graph(sentence: str) -> Mistake:
    """A derivative that has no graph was differentiated."""
    return Mistake(
        "a derivative without a graph", sentence, raises="RuntimeError: element \\d+ of tensors does not require grad"
    )


def row_sums(y: torch.Tensor, leaf: torch.Tensor) -> torch.Tensor:
    """The gradient of the sum of a gradient: each row of the Hessian added up."""
    return next_derivative(y.sum(), leaf).detach()
