"""What the mistakes of tasks about one element share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.probes.programs import Program
from autograder.references.replay import under

NOT_IN_THE_GRAPH = r"RuntimeError: (The|One of the) differentiated Tensors?\b.* appears? to not have been used"
"""A gradient was asked for with respect to a tensor from which the output was not computed."""
CLEARED = "What the caller had in `x.grad` is gone. Which function returns gradients without using `.grad` at all?"
BACKWARD = (
    "`backward()` adds its result to what `x.grad` already holds, and leaves it there for the caller to find. Which "
    "function only returns gradients?"
)
OUT_OF_BOUNDS = Mistake(
    "index out of bounds",
    "An index lies outside of its tensor. Elements are counted from 0, or from the end with -1 as the last; `i` "
    "needs no change.",
    raises=r"IndexError: index -?\d+ is out of bounds",
)


def numbers_from(name: str, implementation: Callable) -> Callable[[Program], dict[str, Any]]:
    """As `under`, with numbers in place of results without axes: a number may come in either form."""

    def with_numbers(*arguments: Any) -> Any:
        return _plain(implementation(*arguments))

    return under(name, with_numbers)


def _plain(result: Any) -> Any:
    if isinstance(result, torch.Tensor) and not result.dim():
        return result.item()
    return tuple(map(_plain, result)) if isinstance(result, tuple) else result
