"""Compare an answer with what is right, respecting type, shape, dtype and device.

Tolerances come from a contract (1e-5 relative, so that an honest float32 answer passes) and from the
scale of the expected numbers, never from a hand-picked constant per test.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import torch

from autograder.wire.plain import Foreign, SeenTensor

NUMBER = (int, float)


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """How far a number may be off.

    Attributes:
        relative: of the expected number.
        of_scale: of the largest expected number around it: what float32 loses by cancellation.
        absolute: in the units of the answer; for contracts that state one.
    """

    relative: float = 1e-5
    of_scale: float = 8 * torch.finfo(torch.float32).eps
    absolute: float = 0.0

    def allows(self, got: float, expected: float, scale: float) -> bool:
        """Whether `got` may stand for `expected`. Infinities must be equal; nan agrees with nothing."""
        if math.isinf(expected):
            return got == expected
        room = self.relative * abs(expected) + self.of_scale * scale + self.absolute
        return abs(got - expected) <= room


CONTRACT = Tolerance()


@dataclasses.dataclass(frozen=True)
class Difference:
    """One place where an answer is not what it should be.

    Attributes:
        place: where, as Python would write it: `["x"]`, `[2]`, or empty for the answer itself.
        problem: what is wrong, as the end of a sentence that starts with the place.
        distance: how far off in multiples of the room allowed; infinite where it is no number at all.
    """

    place: str
    problem: str
    distance: float = math.inf


def differences(got: Any, expected: Any, tolerance: Tolerance = CONTRACT) -> list[Difference]:
    """Every place where `got` differs from `expected`, worst first; empty where they agree.

    Args:
        got: as `wire.plain.decode` makes it.
        expected: numbers, sequences, dicts and tensors, as a reference makes them.
        tolerance: the room around each number.
    """
    found = list(_walk(got, expected, tolerance, _scale(expected), ""))
    return sorted(found, key=lambda difference: -difference.distance)


def agree(got: Any, expected: Any, tolerance: Tolerance = CONTRACT) -> bool:
    """Whether nothing differs."""
    return not differences(got, expected, tolerance)


def _walk(got: Any, expected: Any, tolerance: Tolerance, scale: float, place: str):
    if isinstance(got, torch.Tensor):  # a mistake's answer, computed here, instead of a student's
        got = SeenTensor(got.detach(), str(got.device), got.requires_grad, got.is_leaf)
    if isinstance(expected, dict):
        yield from _walk_dict(got, expected, tolerance, scale, place)
    elif isinstance(expected, list | tuple):
        yield from _walk_sequence(got, expected, tolerance, scale, place)
    elif isinstance(expected, torch.Tensor):
        yield from _walk_tensor(got, expected, tolerance, scale, place)
    elif isinstance(expected, bool) or expected is None or isinstance(expected, str):
        if type(got) is not type(expected) or got != expected:
            yield Difference(place, f"is {describe(got)}, expected {describe(expected)}")
    else:
        yield from _walk_number(got, float(expected), tolerance, scale, place)


def _walk_dict(got: Any, expected: dict, tolerance: Tolerance, scale: float, place: str):
    if not isinstance(got, dict):
        yield Difference(place, f"is {describe(got)}, expected a dict with the keys {_keys(expected)}")
        return
    for key, value in expected.items():
        if key not in got:
            yield Difference(place, f"lacks the key {key!r}; its keys are {_keys(got)}")
        else:
            yield from _walk(got[key], value, tolerance, scale, f"{place}[{key!r}]")


def _walk_sequence(got: Any, expected: list | tuple, tolerance: Tolerance, scale: float, place: str):
    if isinstance(got, SeenTensor) and got.data.dim() == 1 and not got.data.is_complex():
        got = got.data.tolist()
    if not isinstance(got, list | tuple):
        yield Difference(place, f"is {describe(got)}, expected a sequence of {len(expected)}")
    elif len(got) != len(expected):
        yield Difference(place, f"has {len(got)} entries, expected {len(expected)}")
    else:
        for index, value in enumerate(expected):
            yield from _walk(got[index], value, tolerance, scale, f"{place}[{index}]")


def _walk_number(got: Any, expected: float, tolerance: Tolerance, scale: float, place: str):
    number = as_number(got)
    if number is None:
        yield Difference(place, f"is {describe(got)}, expected a number")
    elif not tolerance.allows(number, expected, scale):
        room = tolerance.relative * abs(expected) + tolerance.of_scale * scale + tolerance.absolute
        distance = abs(number - expected) / (room or 1.0)
        distance = distance if math.isfinite(distance) else math.inf
        yield Difference(place, f"is {show(number)}, expected {show(expected)}", distance)


def _walk_tensor(got: Any, expected: torch.Tensor, tolerance: Tolerance, scale: float, place: str):
    if not isinstance(got, SeenTensor):
        yield Difference(place, f"is {describe(got)}, expected a tensor of shape {tuple(expected.shape)}")
    elif got.data.shape != expected.shape:
        yield Difference(place, f"has the shape {tuple(got.data.shape)}, expected {tuple(expected.shape)}")
    elif got.data.dtype != expected.dtype:
        yield Difference(place, f"has the dtype {got.data.dtype}, expected {expected.dtype}")
    else:
        flat_got, flat = got.data.reshape(-1).tolist(), expected.detach().reshape(-1).tolist()
        for index, (one, other) in enumerate(zip(flat_got, flat, strict=True)):
            where = tuple(int(i) for i in torch.unravel_index(torch.tensor(index), expected.shape))
            inside = f"[{', '.join(map(str, where))}]" if where else ""
            yield from _walk_number(one, float(other), tolerance, scale, place + inside)


def as_number(got: Any) -> float | None:
    """A Python number, or a tensor with one real element, as a float; None for anything else."""
    if type(got) in NUMBER:
        return float(got)
    if isinstance(got, SeenTensor) and got.data.numel() == 1 and got.data.is_floating_point():
        return float(got.data.reshape(()))
    return None


def _scale(expected: Any) -> float:
    """The largest finite magnitude among the expected numbers."""
    if isinstance(expected, dict):
        return max(map(_scale, expected.values()), default=0.0)
    if isinstance(expected, list | tuple):
        return max(map(_scale, expected), default=0.0)
    if isinstance(expected, torch.Tensor):
        return float(expected.detach().abs().max()) if expected.numel() else 0.0
    if isinstance(expected, NUMBER) and not isinstance(expected, bool) and math.isfinite(expected):
        return abs(float(expected))
    return 0.0


def _keys(mapping: dict) -> str:
    shown = [repr(key)[:30] for key in list(mapping)[:8]]
    return ", ".join(shown) + (", ..." if len(mapping) > 8 else "") if shown else "(none)"


def show(number: float) -> str:
    """A number in at most seven digits, the way a person writes it."""
    return f"{number:.7g}"


def describe(got: Any) -> str:
    """An answer in a few words."""
    if got is None:
        return "None"
    if type(got) in NUMBER:
        return show(got)
    if isinstance(got, bool):
        return str(got)
    if isinstance(got, str):
        return f"the text {got[:40]!r}"
    if isinstance(got, SeenTensor):
        return f"a tensor of shape {tuple(got.data.shape)} and dtype {got.data.dtype}"
    if isinstance(got, Foreign):
        return f"an object of type {got.type_name}"
    if isinstance(got, dict):
        return f"a dict with the keys {_keys(got)}"
    return f"a {type(got).__name__} of {len(got)}"
