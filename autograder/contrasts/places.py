"""Where wrong numbers stand: what is true of every wrong entry and of no right one, found by search."""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Iterator

import torch

from autograder.contrasts.observation import Observation
from autograder.contrasts.words import plainest

MOST_INDICES = 1000
FEWEST = 4
"""Of wrong entries, and of right ones, on either side of a number that was searched."""
PLAIN = 6
"""Of the places of a tensor that are named by its values: signs, and one on either side."""
FADING = 1e-2
"""Of the right number."""
CHANCES, FEW_CHANCES = 5_000, 150
"""Ways to choose the wrong entries among all: fewer are hit by some place of values by chance, or by a plain one."""


class Seen(enum.Enum):
    """How much was seen: enough for no place that is named by values, for plain ones of one tensor, or for all."""

    LITTLE, SOME, MUCH = range(3)


def place(observations: list[Observation]) -> str:
    """Return where the wrong entries stand, as the end of "wrong only": "where `x` is negative"; "" if nothing says.

    An entry at that place may be right if the right number is 0, which many mistakes leave as it is.

    Args:
        observations: at least one of them with wrong entries.
    """
    wrong = sum(int(one.wrong.sum()) for one in observations)
    right = sum(int((~one.wrong & (one.right != 0)).sum()) for one in observations)
    ways = math.comb(wrong + right, wrong)
    seen = Seen.MUCH if ways > CHANCES else Seen.SOME if ways > FEW_CHANCES else Seen.LITTLE
    by_values = Seen.LITTLE if any(map(_fades, observations)) else seen
    first, *others = sorted(observations, key=lambda one: -int(one.wrong.sum()))
    known: list[dict[str, torch.Tensor]] = []
    for words, mask in masks(first, by_values):
        if not _is_where(first, mask):
            continue
        known = known or [dict(masks(one, by_values)) for one in others]
        pairs = [(first, mask), *((one, ways.get(words)) for one, ways in zip(others, known, strict=True))]
        if all(not one.is_wrong if here is None else _is_where(one, here) for one, here in pairs) and any(
            here is not None and _leaves_out(one, here) for one, here in pairs
        ):
            return words
    return _beyond(observations) if by_values is Seen.MUCH else ""


def _fades(one: Observation) -> bool:
    """Return whether some error is so small that others may lie below what counts as one."""
    off = (one.seen - one.right).abs()[one.wrong]
    return bool((off < FADING * one.right.abs()[one.wrong]).any())


def _is_where(one: Observation, mask: torch.Tensor) -> bool:
    try:
        there = mask.expand(one.right.shape)
    except RuntimeError:
        return False
    return not bool((one.wrong & ~there).any()) and not bool((there & ~one.wrong & (one.right != 0)).any())


def _leaves_out(one: Observation, mask: torch.Tensor) -> bool:
    """Return whether some right number other than 0 stands elsewhere; a place that is everywhere says nothing."""
    return bool((~mask.expand(one.right.shape) & (one.right != 0)).any())


def masks(one: Observation, by_values: Seen = Seen.MUCH) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield places with their masks, the plainest first.

    Args:
        one: what was seen.
        by_values: how much was seen, because a place that is named by values may be chance.
    """
    own = [one.of] if one.of in one.quantities else []
    alike = 0
    for name in (*own, *(name for name in one.quantities if name not in own)):
        value = one.quantities[name]
        if value.shape == one.right.shape and not value.is_complex():
            if by_values is Seen.MUCH or (by_values is Seen.SOME and not alike):
                yield from itertools.islice(_of_values(name, value), PLAIN if by_values is Seen.SOME else None)
            alike += 1
        if (repeated := _named_repeatedly(value, one.right)) is not None:
            yield f"where {name} holds a number more than once", repeated
    yield from _of_indices(one.right)
    if by_values is Seen.MUCH:
        yield "where the right number is 0", one.right == 0
        yield "where the right number is negative", one.right < 0
        yield "where the right number is positive", one.right > 0


def _of_values(name: str, value: torch.Tensor) -> Iterator[tuple[str, torch.Tensor]]:
    yield f"where {name} is negative", value < 0
    yield f"where {name} is positive", value > 0
    yield f"where {name} is 0", value == 0
    yield f"where {name} is not 0", value != 0
    yield f"where {name} is beyond 1 on either side", value.abs() > 1
    yield f"where {name} is between -1 and 1", value.abs() < 1
    if value.numel() > 1:
        _, which, counts = value.unique(return_inverse=True, return_counts=True)
        yield f"where an entry of {name} occurs more than once", counts[which] > 1
        yield f"where {name} is largest", value == value.max()
        yield f"where {name} is not largest", value != value.max()


def _named_repeatedly(indices: torch.Tensor, right: torch.Tensor) -> torch.Tensor | None:
    """Return the mask of rows (of a vector, entries) that a tensor of whole numbers names more than once."""
    if not right.dim() or not indices.numel() or indices.is_complex() or indices.numel() > MOST_INDICES:
        return None
    numbers = [float(one) for one in indices.reshape(-1).tolist()]
    rows = len(right)
    if not all(one.is_integer() and -rows <= one < rows for one in numbers):
        return None
    counts = [0] * rows
    for one in numbers:
        counts[int(one)] += 1
    if max(counts) < 2:
        return None
    return torch.tensor([count > 1 for count in counts]).reshape(-1, *[1] * (right.dim() - 1))


def _of_indices(right: torch.Tensor) -> Iterator[tuple[str, torch.Tensor]]:
    for axis, length in enumerate(right.shape):
        if length < 2:
            continue
        index = torch.arange(length).reshape([-1 if one == axis else 1 for one in range(right.dim())])
        along = "entry" if right.dim() == 1 else ("row", "column")[axis] if right.dim() == 2 else ""
        first, last = (f"in the first {along}", f"in the last {along}") if along else ("at the first", "at the last")
        of = "" if along else f" index of axis {axis}"
        yield first + of, index == 0
        yield last + of, index == length - 1
        yield f"after {first.removeprefix('in ').removeprefix('at ')}{of}", index > 0
        yield (
            f"before {last.removeprefix('in ').removeprefix('at ')}{of}",
            index < length - 1,
        )
    if right.dim() >= 2 and min(right.shape[-2:]) > 1:
        square = torch.ones(right.shape[-2:], dtype=torch.bool)
        inside = torch.zeros_like(square)
        inside[1:-1, 1:-1] = True
        yield "on the diagonal", torch.eye(*square.shape, dtype=torch.bool)
        yield "off the diagonal", ~torch.eye(*square.shape, dtype=torch.bool)
        yield "above the diagonal", square.triu(1)
        yield "below the diagonal", square.tril(-1)
        yield "at the border", ~inside
        yield "away from the border", inside


def _beyond(observations: list[Observation]) -> str:
    """Return the value of a quantity beyond which all entries are wrong, and none before it."""
    for name in observations[0].quantities:
        found = [one.quantities.get(name) for one in observations]
        pairs = [
            (value, one)
            for value, one in zip(found, observations, strict=True)
            if value is not None and value.shape == one.right.shape and not value.is_complex()
        ]
        if len(pairs) == len(observations):
            wrong = torch.cat([value[one.wrong].reshape(-1) for value, one in pairs])
            right = torch.cat([value[~one.wrong & (one.right != 0)].reshape(-1) for value, one in pairs])
            if min(wrong.numel(), right.numel()) < FEWEST:
                continue
            words = _threshold(name, wrong, right)
            words = words or _threshold(f"the absolute value of {name}", wrong.abs(), right.abs())
            if words:
                return words
    return ""


def _threshold(name: str, wrong: torch.Tensor, right: torch.Tensor) -> str:
    for words, low, high in (("above", right, wrong), ("below", wrong, right)):
        if (least := float(low.max())) < (most := float(high.min())):
            return f"where {name} is {words} {plainest(least, most)} (as far as was asked)"
    return ""
