"""Values of a running program in a few characters, and whether two are the same, different or too near to say."""

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
SAME, APART = 1e-6, 0.02
"""Relative differences below which two numbers are the same, and above which nobody takes one for the other."""
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


def plain(value: Any, depth: int = 0) -> Any:
    """Return what a value holds as nested dicts, lists, numbers and tensors, each tensor with its `.grad`."""
    if depth > 4:
        return None
    if type(value) in (torch.Tensor, nn.Parameter):
        return [value, value.grad if value.requires_grad or value.is_leaf else None]
    if isinstance(value, nn.Module):
        return {name: plain(one, depth + 1) for name, one in (*value.named_parameters(), *value.named_buffers())}
    if type(value) is dict:
        return {key: plain(one, depth + 1) for key, one in value.items() if not str(key).startswith("__")}
    if type(value) in (list, tuple):
        return [plain(one, depth + 1) for one in value]
    if type(value).__module__ == "__main__" and not isinstance(value, UNSHOWN):
        return plain(dict(getattr(value, "__dict__", {})), depth + 1)
    return value if type(value) in (bool, int, float, str) else None


def compared(one: Any, other: Any) -> str:
    """Return "same", "different", or "unclear" if rounding could explain the difference."""
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return _compared_tensors(one, other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        if one.keys() != other.keys():
            return "different"
        return _worst(compared(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        if len(one) != len(other):
            return "different"
        return _worst(compared(a, b) for a, b in zip(one, other, strict=True))
    if type(one) in (int, float) and type(other) in (int, float):
        pair = [torch.tensor(float(value), dtype=torch.float64) for value in (one, other)]
        return _compared_tensors(*pair)
    if one is None or other is None or isinstance(one, bool | str):
        return "same" if type(one) is type(other) and one == other else "different"
    if type(one) is not type(other):
        return "different"
    try:
        return "same" if bool(one == other) else "unclear"  # objects of classes that do not define equality
    except Exception:
        return "unclear"


def _compared_tensors(one: torch.Tensor, other: torch.Tensor) -> str:
    if one.shape != other.shape or one.dtype != other.dtype or one.requires_grad != other.requires_grad:
        return "different"
    if not (is_plain(one) and is_plain(other)):
        return "unclear"
    a, b = (value.detach().to(torch.complex128 if value.is_complex() else torch.float64) for value in (one, other))
    scale = float(b.abs().nan_to_num(0.0, 0.0, 0.0).max()) if b.numel() else 0.0
    if torch.allclose(a, b, rtol=SAME, atol=SAME * scale, equal_nan=True):
        return "same"
    near = torch.allclose(a, b, rtol=1e3 * SAME, atol=1e3 * SAME * max(scale, 1e-3), equal_nan=True)
    return "unclear" if near else "different"


def _worst(found: Iterator[str]) -> str:
    seen = set(found)
    return "different" if "different" in seen else "unclear" if "unclear" in seen else "same"
