"""Whether two runs of a program gave the same, something else, or what is too near to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import nn

from autograder.own_answers.values import UNSHOWN, is_plain

SAME = 1e-6
"""Relative difference below which two numbers are the same."""


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
