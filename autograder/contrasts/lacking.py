"""What wrong numbers lack: steps that would make them right, and in what their error is regular."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from autograder.contrasts.observation import Observation

Made = tuple[str, torch.Tensor]
SAME, ONE_FACTOR = "that is the same", "one factor in each question, which is another from question to question"
"""In the words for a regularity, which says less than a relation: the number or factor itself is not explained."""
NEARLY_RIGHT = 1e-3
"""A factor as near to 1 is an approximation, and says nothing of a cause."""


def steps(one: Observation) -> Iterator[Made]:
    """Yield what steps make of the seen numbers, each as the end of "the numbers would be right with"."""
    seen = one.seen
    for axis, of in _axes(one.right):
        yield f"the mean{of} subtracted", _centred(seen, axis)
        for name, value in one.quantities.items():
            if value.shape == one.right.shape:
                yield f"their sum{of}, times {name}, subtracted", seen - value * seen.sum(axis, keepdim=True)
                yield f"their component along {name}{of} subtracted", _across(seen, value, axis)
                centred = _centred(value, axis)
                yield f"their component along {name} (less its mean){of} subtracted", _across(seen, centred, axis)
                both = _across(_centred(seen, axis), centred, axis)
                yield f"their mean{of} and their component along {name} (less its mean) subtracted", both


def _centred(value: torch.Tensor, axis: int) -> torch.Tensor:
    return value - value.mean(axis, keepdim=True)


def _across(seen: torch.Tensor, value: torch.Tensor, axis: int) -> torch.Tensor:
    """Return what is left of `seen` without its component along `value`."""
    return seen - value * (seen * value).sum(axis, keepdim=True) / (value**2).sum(axis, keepdim=True)


def regularities(one: Observation) -> Iterator[Made]:
    """Yield whether the error is regular in some respect, each as the end of "each wrong number is"."""
    off = torch.where(one.wrong, one.seen - one.right, torch.nan)
    ratio = torch.where(one.wrong & (one.right != 0), one.seen / one.right, torch.nan)
    yield f"the right one times {ONE_FACTOR}", _is_one_factor(one, ratio)
    for axis, of in _axes(one.right):
        along = of or " for all"
        yield f"the right one plus a number {SAME}{along}", _is_same(one, off, axis)
        for name, value in one.quantities.items():
            if value.shape == one.right.shape:
                words = f"the right one plus {name} times a number {SAME}{along}"
                yield words, _is_same(one, torch.where(value == 0, torch.nan, off / value), axis)
        yield f"the right one times a factor {SAME}{along}", _is_same(one, ratio, axis)


def is_regularity(words: str) -> bool:
    """Return whether words are those of a regularity."""
    return SAME in words or ONE_FACTOR in words


def _axes(right: torch.Tensor) -> Iterator[tuple[int, str]]:
    for axis, length in enumerate(right.shape):
        if length > 1:
            yield axis, "" if right.dim() == 1 else f" along axis {axis}"


def _is_one_factor(one: Observation, ratio: torch.Tensor) -> torch.Tensor:
    """Return whether all wrong numbers have one factor; a single one has, so others must tell.

    A right number of 0 would stay 0.
    """
    known = ratio[~torch.isnan(ratio)]
    if bool((one.wrong & (one.right == 0)).any()) or not len(known) or bool(torch.isinf(known).any()):
        return torch.tensor(False)
    is_one = (known - known[0]).abs().max() <= 1e-4 * known[0].abs()
    return torch.tensor(bool(is_one & ((known[0] - 1).abs() > NEARLY_RIGHT)))


def _is_same(one: Observation, numbers: torch.Tensor, axis: int) -> torch.Tensor:
    """Return whether numbers do not change along an axis; nan is left out, and fewer than three are not enough."""
    known = ~torch.isnan(numbers)
    if one.right.dim() < 2 or bool((known.sum(axis) < 3).any()) or bool(torch.isinf(numbers).any()):
        return torch.tensor(False)
    low = torch.where(known, numbers, torch.inf).amin(axis)
    high = torch.where(known, numbers, -torch.inf).amax(axis)
    return (high - low <= 1e-4 * (high.abs() + low.abs()) + 1e-6 * one.scale).all()
