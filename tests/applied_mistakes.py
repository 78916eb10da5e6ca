"""The general mistakes as changes of a right answer: what a student who makes one would give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def _each(change: Callable) -> Callable:
    """A change on every tensor of a structure."""

    def changed(value: Any, chosen: int) -> Any:
        if isinstance(value, dict):
            return {key: changed(one, chosen) for key, one in value.items()}
        return [changed(one, chosen) for one in value] if isinstance(value, list) else change(value, chosen)

    return changed


def _reduced(reduce: Callable) -> Callable:
    def change(tensor: torch.Tensor, chosen: int) -> torch.Tensor:
        axes = [axis for axis, size in enumerate(tensor.shape) if size > 1]
        if not axes or not tensor.numel():
            return tensor
        return reduce(tensor, dim=axes[chosen % len(axes)], keepdim=bool(chosen % 2))

    return change


def _over_rows(change: Callable) -> Callable:
    """A change of a list of tensors, or of the rows of one."""

    def changed(value: Any, chosen: int) -> Any:
        if isinstance(value, torch.Tensor):
            return torch.stack(change(list(value))) if value.dim() >= 2 and len(value) else value
        alike = isinstance(value, list) and len({(one.shape, one.dtype) for one in value}) == 1
        return change(value) if alike else value

    return changed


def _sums(rows: list) -> list:
    return list(torch.stack(rows).cumsum(0)) if rows else rows


def _other_dtype(tensor: torch.Tensor, chosen: int) -> torch.Tensor:
    dtypes = [one for one in (torch.float32, torch.float64, torch.float16) if one != tensor.dtype]
    return tensor.to(dtypes[chosen % 2])


def _rotated(value: Any, chosen: int) -> Any:
    if isinstance(value, dict):
        names = list(value)
        return {name: value[other] for name, other in zip(names, names[1:] + names[:1], strict=True)}
    return value[1:] + value[:1] if isinstance(value, list) else value


APPLIED: dict[str, Callable[[Any, int], Any]] = {
    "sign": _each(lambda t, n: -t),
    "always zero": _each(lambda t, n: torch.zeros_like(t)),
    "absolute value": _each(lambda t, n: t.abs()),
    "a constant factor": lambda value, n: _each(lambda t, _: t * (2 + n) if n % 2 else t / (2 + n))(value, n),
    "transposed": _each(lambda t, n: t.transpose(-1, -2).contiguous() if t.dim() >= 2 else t),
    "summed over an axis": _each(_reduced(torch.sum)),
    "averaged over an axis": _each(_reduced(torch.mean)),
    "added up from entry to entry": _over_rows(_sums),
    "one result repeated": _over_rows(lambda rows: [rows[-1]] * len(rows)),
    "another shape": _each(lambda t, n: t.reshape((1, *t.shape) if n % 2 else (t.numel(),))),
    "another dtype": _each(_other_dtype),
    "left in a tuple": _each(lambda t, n: (t,)),
    "under another name": _rotated,
    "None instead of a gradient": _each(lambda t, n: None),
    "not a number": _each(lambda t, n: t * float("nan")),
}
