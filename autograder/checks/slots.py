"""The slots of an answer: what of it is compared as numbers, each with the right numbers and the student's."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from autograder.comparison import agree
from autograder.diagnosis.explaining import Judged
from autograder.diagnosis.structures import is_shown, numbers_of, tensor_of

MOST_SLOTS = 24
"""Of one answer."""


class Pair(NamedTuple):
    """The right numbers of a slot and the student's, of one shape."""

    right: torch.Tensor
    seen: torch.Tensor


Slots = dict[str, Pair]
"""By the words for a slot; "" for what a call returned."""


def slots(one: Judged) -> Slots:
    """Return the slots of an answer; what is missing, has another shape or holds no floating-point numbers is left out.

    Args:
        one: the answer beside the right one.
    """
    found: Slots = {}
    if is_shown(one.inputs, one.expected, one.got):
        for key, right in one.expected.items():
            _add(found, key, right, one.got.get(key))
    else:
        _add(found, "", one.expected, one.got)
    return found


def wrong_slots(answer: Slots) -> Slots:
    """Return the slots of an answer that are wrong."""
    return {words: pair for words, pair in answer.items() if not agree(pair.seen, pair.right)}


def _add(found: Slots, words: str, right: Any, seen: Any) -> None:
    if len(found) >= MOST_SLOTS:
        return
    if isinstance(right, dict) and isinstance(seen, dict):
        for key, value in right.items():
            _add(found, f"{words}[{key!r}]", value, seen.get(key))
        return
    numbers, others = _numbers(right), _numbers(seen, also=int)
    if numbers is not None and others is not None:
        if numbers.shape == others.shape and numbers.numel():
            found[words] = Pair(numbers, others)
    elif isinstance(right, list | tuple) and isinstance(seen, list | tuple) and len(right) == len(seen):
        for index, (value, other) in enumerate(zip(right, seen, strict=True)):
            _add(found, f"{words}[{index}]", value, other)


def _numbers(value: Any, also: type = float) -> torch.Tensor | None:
    """Return a tensor, a number or a list of numbers as a float64 tensor; None for anything else, such as a count."""
    tensor = tensor_of(value)
    if tensor is not None:
        return tensor.double().cpu() if tensor.is_floating_point() else None
    if type(value) in (float, also):
        return torch.tensor(float(value), dtype=torch.float64)
    is_numbers = isinstance(value, list | tuple) and value and all(type(one) in (float, also) for one in value)
    return torch.tensor(numbers_of(value), dtype=torch.float64) if is_numbers else None
