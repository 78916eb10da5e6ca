"""Differences between an answer and the right one, found by walking through both at once."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import torch

from autograder.comparison.tensors import Scale, form_problem, worst_number, wrong_entries
from autograder.comparison.tolerance import CONTRACT, Tolerance
from autograder.comparison.words import NUMBER, as_number, describe, keys, show, show_both
from autograder.wire.plain import Absent, Foreign, SeenTensor


@dataclasses.dataclass(frozen=True)
class Difference:
    """One place where an answer differs from the right one.

    Attributes:
        place: where, in Python's notation: `["x"]`, `[2]`, or empty for the answer itself.
        problem: what is wrong, as the end of a sentence that starts with the place.
        distance: the error in multiples of the tolerance; infinite if the answer is not a number.
    """

    place: str
    problem: str
    distance: float = math.inf


def differences(got: Any, expected: Any, tolerance: Tolerance = CONTRACT) -> list[Difference]:
    """Return the places where `got` differs from `expected`, worst first; of each tensor the worst entry.

    Args:
        got: as `wire.plain.decode` makes it.
        expected: numbers, sequences, dicts and tensors, as a reference makes them.
        tolerance: how far each number may be off.
    """
    scale = _scale_of(expected)
    if _certainly_agree(got, expected, tolerance, scale):
        return []
    found = [difference() for difference in _walk(got, expected, tolerance, scale, "")]
    return sorted(found, key=lambda difference: -difference.distance)


def agree(got: Any, expected: Any, tolerance: Tolerance = CONTRACT) -> bool:
    """Return whether `got` equals `expected` within the tolerance."""
    scale = _scale_of(expected)
    if _certainly_agree(got, expected, tolerance, scale):
        return True
    return next(_walk(got, expected, tolerance, scale, ""), None) is None


def as_seen(value: Any) -> Any:
    """Wrap a tensor made by a reference or a mistake like one that came from the sandbox; return the rest unchanged."""
    if isinstance(value, torch.Tensor):
        return SeenTensor(value.detach().cpu(), str(value.device), value.requires_grad, value.is_leaf)
    return value


LazyDifference = Callable[[], Difference]
"""A difference that finds its words, and the worst of many entries, only when called: most are merely counted."""
Differences = Iterator[LazyDifference]


def _lazy(place: str, problem: str) -> LazyDifference:
    return lambda: Difference(place, problem)


def _certainly_agree(got: Any, expected: Any, tolerance: Tolerance, scale: Scale) -> bool:
    """Return whether plain data agrees as `_walk` would find; False also where only the walk can tell.

    Nearly all answers are right, and the walk spends most of its time on the places and generators of differences.
    """
    kind, mine = type(expected), type(got)
    if kind is float or kind is int:
        if tolerance.is_exact or (mine is not float and mine is not int):
            return False
        return float(got) == expected or tolerance.allows(float(got), float(expected), scale())
    if kind is dict:
        if mine is not dict:
            return False
        return all(key in got and _certainly_agree(got[key], one, tolerance, scale) for key, one in expected.items())
    if kind is list or kind is tuple:
        if (mine is not list and mine is not tuple) or len(got) != len(expected):
            return False
        return all(_certainly_agree(one, other, tolerance, scale) for one, other in zip(got, expected, strict=True))
    if kind is bool or kind is str or expected is None:
        return mine is kind and bool(got == expected)
    if mine is SeenTensor and isinstance(expected, torch.Tensor) and form_problem(got, expected) is None:
        return wrong_entries(got.data, expected.cpu(), tolerance, scale) is None
    return False


def _walk(got: Any, expected: Any, tolerance: Tolerance, scale: Scale, place: str) -> Differences:
    got = as_seen(got)
    if isinstance(expected, dict):
        yield from _walk_dict(got, expected, tolerance, scale, place)
    elif isinstance(expected, list | tuple):
        yield from _walk_sequence(got, expected, tolerance, scale, place)
    elif isinstance(expected, torch.Tensor):
        yield from _walk_tensor(got, expected, tolerance, scale, place)
    elif isinstance(expected, bool | str | Absent | Foreign) or expected is None:
        if isinstance(got, str) and isinstance(expected, str):
            if got != expected:
                yield _lazy(place, f"is {got[:40]!r}, expected {expected[:40]!r}")
        elif type(got) is not type(expected) or got != expected:
            yield _lazy(place, f"is {describe(got)}, expected {describe(expected)}")
    else:
        yield from _walk_number(got, expected, tolerance, scale, place)


def _walk_dict(got: Any, expected: dict[Any, Any], tolerance: Tolerance, scale: Scale, place: str) -> Differences:
    if not isinstance(got, dict):
        yield _lazy(place, f"is {describe(got)}, expected a dict with the keys {keys(expected)}")
        return
    for key, value in expected.items():
        if key not in got:
            rest = f"its keys are {keys(got)}" if got else "it is empty"
            yield _lazy(place, f"lacks the key {key!r}; {rest}")
        else:
            yield from _walk(got[key], value, tolerance, scale, f"{place}[{key!r}]")


def _walk_sequence(
    got: Any, expected: list[Any] | tuple[Any, ...], tolerance: Tolerance, scale: Scale, place: str
) -> Differences:
    of_tensors = any(isinstance(one, torch.Tensor) for one in expected)
    if isinstance(got, SeenTensor) and got.data.dim() == 1 and not got.data.is_complex() and not of_tensors:
        got = got.data.tolist()
    if not isinstance(got, list | tuple):
        yield _lazy(place, f"is {describe(got)}, expected a sequence of {len(expected)}")
    elif len(got) != len(expected):
        yield _lazy(place, f"has {len(got)} {'entry' if len(got) == 1 else 'entries'}, expected {len(expected)}")
    else:
        for index, value in enumerate(expected):
            yield from _walk(got[index], value, tolerance, scale, f"{place}[{index}]")


def _walk_number(got: Any, expected: float, tolerance: Tolerance, scale: Scale, place: str) -> Differences:
    number = as_number(got)
    if number is None:
        what = show(expected) if isinstance(got, Absent) else "a number"
        yield _lazy(place, f"is {describe(got)}, expected {what}")
    elif tolerance.is_exact and type(got) is type(expected) is int:
        if got != expected:  # large ints may differ and have the same float
            yield _lazy(place, "is {}, expected {}".format(*show_both(got, expected)))
    elif not (number == expected and not tolerance.is_exact) and not tolerance.allows(number, float(expected), scale()):
        pair = torch.tensor([number, expected], dtype=torch.float64)
        yield functools.partial(_worst, place, pair[0], pair[1], tolerance, scale)


def _walk_tensor(got: Any, expected: torch.Tensor, tolerance: Tolerance, scale: Scale, place: str) -> Differences:
    if (problem := form_problem(got, expected)) is not None:
        yield _lazy(place, problem)
    elif wrong_entries(got.data, expected.cpu(), tolerance, scale) is not None:
        yield functools.partial(_worst, place, got.data, expected.cpu(), tolerance, scale)


def _worst(place: str, got: torch.Tensor, expected: torch.Tensor, tolerance: Tolerance, scale: Scale) -> Difference:
    index, problem, distance = worst_number(got, expected, tolerance, scale)
    return Difference(f"{place}[{', '.join(map(str, index))}]" if index else place, problem, distance)


def _scale_of(expected: Any) -> Scale:
    found: list[float] = []

    def scale() -> float:
        if not found:
            found.append(_scale(expected))
        return found[0]

    return scale


def _scale(expected: Any) -> float:
    """Return the largest finite magnitude among the expected numbers."""
    if isinstance(expected, dict):
        return max(map(_scale, expected.values()), default=0.0)
    if isinstance(expected, list | tuple):
        return max(map(_scale, expected), default=0.0)
    if isinstance(expected, torch.Tensor):
        if expected.dtype == torch.bool:
            return 1.0
        sizes = expected.detach().abs()
        sizes = sizes[torch.isfinite(sizes)]
        return float(sizes.max()) if sizes.numel() else 0.0
    if isinstance(expected, NUMBER) and not isinstance(expected, bool) and math.isfinite(expected):
        return abs(float(expected))
    return 0.0
