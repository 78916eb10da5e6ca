"""Values of a running program in a few characters, and which of them nobody confuses."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch import nn

MOST_NUMBERS = 4
"""Entries of a tensor or list that a choice shows."""
MOST_ENTRIES = 12
"""Entries of a matrix of which the first four are looked at one by one."""
MOST_FACTS = 60
MOST_PARAMETERS = 4
APART = 0.02
"""Relative difference above which nobody takes one number for the other."""
UNSHOWN = (ModuleType, FunctionType, type)


@dataclasses.dataclass(frozen=True)
class Fact:
    """The value of an expression at one moment.

    Attributes:
        text: the value as a choice shows it.
        kind: what it can be confused with: "number", "2 numbers", "shape", "None", ...
        numbers: its numbers; empty if it has none.
    """

    text: str
    kind: str
    numbers: tuple[float, ...] = ()

    def is_clear_beside(self, other: Fact) -> bool:
        """Return whether nobody can take the one for the other."""
        if self.text == other.text:
            return False
        if len(self.numbers) != len(other.numbers) or not self.numbers or self.kind != other.kind:
            return True
        scale = max((abs(one) for one in (*self.numbers, *other.numbers) if math.isfinite(one)), default=0.0)
        return any(_apart(a, b, scale) for a, b in zip(self.numbers, other.numbers, strict=True))


def _apart(one: float, other: float, scale: float) -> bool:
    if not (math.isfinite(one) and math.isfinite(other)):
        return str(one) != str(other)
    return abs(one - other) > APART * scale


def fact(value: Any) -> Fact | None:
    """Describe a value; None if it is too long for a choice, or no plain data."""
    if value is None:
        return Fact("None", "None")
    kind = type(value)
    if kind is bool:
        return Fact(str(value), "truth")
    if kind in (int, float):
        return Fact(number(value), "number", (float(value),))
    if kind is str and len(value) <= 20 and value.isprintable():
        return Fact(repr(value), "text")
    if kind is torch.Size:
        return Fact(str(tuple(value)), "shape")
    if kind in (torch.Tensor, nn.Parameter):
        return _tensor(value)
    if kind in (list, tuple, dict) and 0 < len(value) <= MOST_NUMBERS:
        return _several(value)
    return None


def _several(value: Any) -> Fact | None:
    """Describe a short list, tuple or dict of numbers and one-element tensors."""
    entries = list(value.values() if type(value) is dict else value)
    found = [fact(one) for one in entries]
    numbers = [one.numbers[0] for one in found if one is not None and len(one.numbers) == 1]
    if len(numbers) < len(entries):
        return None
    if type(value) is not dict:
        return _numbers(numbers)
    if not all(type(key) is str and len(key) <= 12 for key in value):
        return None
    shown = ", ".join(f"{key}: {number(one)}" for key, one in zip(value, numbers, strict=True))
    return Fact(shown, f"numbers for {', '.join(value)}", tuple(numbers))


def number(value: float) -> str:
    """Write a number in at most four significant digits."""
    return str(value) if type(value) is int else f"{value + 0.0:.4g}"  # adding 0.0 turns -0.0 into 0.0


def _numbers(values: list[float]) -> Fact:
    return Fact(f"[{', '.join(map(number, values))}]", f"{len(values)} numbers", tuple(values))


def _tensor(value: torch.Tensor) -> Fact | None:
    if not is_plain(value) or value.is_complex() or not 0 < value.numel() <= MOST_NUMBERS or value.dim() > 1:
        return None
    values = value.detach().tolist()
    if value.dtype == torch.bool:
        return Fact(str(values), f"{value.numel()} truths")
    if isinstance(values, list):
        return _numbers([float(one) for one in values])
    return Fact(number(values), "number", (float(values),))


def is_plain(value: torch.Tensor) -> bool:
    """Return whether a tensor holds numbers of its own, as none does inside `torch.func`."""
    return (
        value.layout is torch.strided
        and value.device.type == "cpu"
        and not torch._C._functorch.is_functorch_wrapped_tensor(value)
    )


def facts(names: Mapping[str, Any]) -> dict[str, Fact]:
    """Describe what local names hold: their values, their `.grad`, their shapes, lengths and entries."""
    found: dict[str, Fact] = {}
    # No counter or mode of a task's program sees what is looked at here.
    with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
        for name, value in list(names.items()):
            if name.startswith("_") or isinstance(value, UNSHOWN) or len(found) > MOST_FACTS:
                continue
            for expression, seen in _parts(name, value):
                with contextlib.suppress(Exception):
                    if (one := fact(seen)) is not None:
                        found[expression] = one
    return found


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    yield name, value
    if type(value) in (torch.Tensor, nn.Parameter):
        yield from _of_tensor(name, value)
    elif isinstance(value, nn.Module):
        for path, parameter in list(value.named_parameters())[:MOST_PARAMETERS]:
            *inner, last = path.split(".")
            steps = "".join(f"[{step}]" if step.isdigit() else f".{step}" for step in inner)
            yield f"{name}{steps}.{last}.grad", parameter.grad
    elif type(value) in (list, tuple, dict):
        yield f"len({name})", len(value)
        entries = list(value.items()) if type(value) is dict else list(enumerate(value))
        for key, entry in entries[:MOST_NUMBERS]:
            if type(key) in (str, int) and (type(value) is not tuple or type(entry) is not int):
                yield f"{name}[{key!r}]", entry
    elif type(value).__module__ == "__main__":
        for key, entry in list(getattr(value, "__dict__", {}).items())[:MOST_NUMBERS]:
            if not key.startswith("_"):
                yield f"{name}.{key}", entry


def _of_tensor(name: str, value: torch.Tensor) -> Iterator[tuple[str, Any]]:
    if value.numel() > MOST_NUMBERS or value.dim() > 1:
        yield f"{name}.shape", value.shape
        if value.dim() == 2 and value.numel() <= MOST_ENTRIES and is_plain(value):
            rows, columns = (range(min(2, size)) for size in value.shape)
            yield from ((f"{name}[{i}, {j}]", value[i, j]) for i in rows for j in columns)
    if value.requires_grad and is_plain(value):
        yield f"{name}.grad", value.grad
