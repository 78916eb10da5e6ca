"""Comparison of two tensors: first their device, shape and dtype, then their numbers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import torch

from autograder.comparison.tolerance import Tolerance
from autograder.comparison.words import describe, show_both
from autograder.wire.plain import SeenTensor

Scale = Callable[[], float]
"""Returns the largest magnitude among the expected numbers of an answer; called only where numbers differ."""


def form_problem(got: Any, expected: torch.Tensor) -> str | None:
    """Return what prevents comparing `got` with `expected` entry by entry; None if nothing does."""
    if not isinstance(got, SeenTensor):
        return f"is {describe(got)}, expected a tensor of shape {tuple(expected.shape)}"
    if got.device.partition(":")[0] != got.asked:
        return f"is on the device {got.device}, expected {got.asked}"
    if got.data.shape != expected.shape:
        return _shape_problem(got.data, expected)
    return _dtype_problem(got.data.dtype, expected.dtype)


def _shape_problem(got: torch.Tensor, expected: torch.Tensor) -> str:
    problem = f"has the shape {tuple(got.shape)}, expected {tuple(expected.shape)}"
    if not got.numel():
        return f"is empty: it {problem}"
    if got.squeeze().shape == expected.squeeze().shape:
        more = got.dim() - expected.dim()
        axes = f"{abs(more)} axes of length 1 are" if abs(more) > 1 else "an axis of length 1 is"
        return f"{problem}: {axes} {'missing' if more < 0 else 'too many' if more else 'elsewhere'}"
    if got.numel() == expected.numel():
        return f"{problem}: the same number of elements, in another arrangement"
    return problem


def _dtype_problem(got: torch.dtype, expected: torch.dtype) -> str | None:
    if got == expected:
        return None
    problem = f"has the dtype {got}, expected {expected}"
    if got.is_complex and not expected.is_complex:
        return f"is complex: it {problem}"
    if not (got.is_floating_point or got.is_complex) and expected.is_floating_point:
        return f"{problem}; {got} holds whole numbers only"
    if got.is_floating_point and torch.finfo(got).bits < 32:
        return f"{problem}; {got} keeps about {int(-math.log10(torch.finfo(got).eps))} digits"
    return problem


@dataclasses.dataclass(frozen=True)
class WrongEntries:
    """The differences between two tensors, in tensors of their shape.

    Attributes:
        got, expected: all entries, in float64 or complex128.
        wrong: the mask of entries that differ by more than the tolerance.
        off: absolute differences.
        room: allowed differences.
    """

    got: torch.Tensor
    expected: torch.Tensor
    wrong: torch.Tensor
    off: torch.Tensor
    room: torch.Tensor


def wrong_entries(got: torch.Tensor, expected: torch.Tensor, tolerance: Tolerance, scale: Scale) -> WrongEntries | None:
    """Return the entries that differ, or None if all agree.

    Args:
        got, expected: of one shape and dtype.
        tolerance: how far each number may be off.
        scale: returns the largest magnitude among the expected numbers of the whole answer.
    """
    if not tolerance.is_exact and torch.equal(got, expected.detach()):
        return None  # most right answers; an exact comparison tells -0.0 from 0.0, `equal` does not
    tolerance = tolerance.for_dtype(expected.dtype)
    wide = torch.complex128 if expected.is_complex() else torch.float64
    one, other = got.to(wide), expected.detach().to(wide)
    off = (one - other).abs()
    room = tolerance.room(other, scale())
    # An infinity agrees only with itself, nan with nothing.
    wrong = torch.where(torch.isfinite(other), ~(off <= room), one != other)
    if tolerance.is_exact and _is_whole(expected):
        wrong = got != expected  # large ints may differ and have the same float
    elif tolerance.is_exact and not other.is_complex():
        wrong |= torch.signbit(one) != torch.signbit(other)
    return WrongEntries(one, other, wrong, off, room) if wrong.any() else None


def worst_number(
    got: torch.Tensor, expected: torch.Tensor, tolerance: Tolerance, scale: Scale
) -> tuple[tuple[int, ...], str, float]:
    """Return the entry that is furthest off, of tensors that differ.

    Args:
        got, expected, tolerance, scale: as `wrong_entries` takes them.

    Returns:
        Its index, the problem, and the distance in multiples of the tolerance.
    """
    found = wrong_entries(got, expected, tolerance, scale)
    assert found is not None, "these tensors agree"
    distance = torch.where(found.wrong, found.off / found.room.clamp(min=1e-300), -1.0)
    distance = torch.where(found.wrong & ~torch.isfinite(distance), torch.inf, distance)
    flat = int(distance.argmax())
    index = tuple(int(i) for i in torch.unravel_index(torch.tensor(flat), expected.shape)) if expected.dim() else ()
    pair = (got, expected) if _is_whole(expected) else (found.got, found.expected)
    number, right = (part[index].item() for part in pair)
    shown = (number, right) if expected.dtype == torch.bool else show_both(number, right)
    problem = "is {}, expected {}".format(*shown)
    if number == right:
        problem += ": equal as numbers, and not to the bit"
    others = int(found.wrong.sum()) - 1
    if others:
        problem += f", and {others} more {'entry' if others == 1 else 'entries'} differ{'s' if others == 1 else ''}"
    return index, problem, float(distance.reshape(-1)[flat])


def _is_whole(tensor: torch.Tensor) -> bool:
    return not (tensor.is_floating_point() or tensor.is_complex())
