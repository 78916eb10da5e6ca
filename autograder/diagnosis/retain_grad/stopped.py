"""Mistakes of stop_gradient: too little stopped, too much, or another function."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under


def _mistake(name: str, sentence: str, implementation: Callable[[torch.Tensor], torch.Tensor]) -> Mistake:
    return Mistake(name, sentence, under("stop_gradient", implementation))


STOP_GRADIENT = (
    _mistake(
        "nothing stopped",
        "The gradient is 2x: both factors of the square were learned through. One of them should count as a constant.",
        lambda x: x * x,
    ),
    Mistake(
        "every path stopped",
        "The result has no history, so no gradient can come back from it. One factor is a constant; what became of "
        "the other?",
        raises="RuntimeError: element \\d+ of tensors does not require grad",
    ),
    _mistake(
        "the gradient of x itself",
        "The upstream gradient goes through unchanged: the value is replaced, and the gradient is that of `x` alone. "
        "The constant factor belongs in the gradient too.",
        lambda x: x + (x * x - x).detach(),
    ),
    _mistake(
        "half the square",
        "The value is half of x squared. Its gradient is x, which is right; how can the value be the whole square?",
        lambda x: x * x / 2,
    ),
    _mistake(
        "a factor too many",
        "The value is x cubed: the square was stopped as a whole and multiplied by one more `x`.",
        lambda x: (x * x).detach() * x,
    ),
    _mistake(
        "the square as gradient",
        "The upstream gradient was multiplied by the function's value, x squared, and not by its gradient.",
        lambda x: (x * x).detach() * (1 + x - x.detach()),
    ),
)
