"""Walk through answers, which are nested dicts and sequences of numbers and tensors."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import torch

from autograder.comparison import agree, as_number
from autograder.probes.programs import Program
from autograder.wire.plain import SeenTensor


def is_shown(inputs: tuple[Any, ...], expected: Any, got: Any) -> bool:
    """Return whether both answers are what a program showed: a dict from expressions to values."""
    shown = bool(inputs) and isinstance(inputs[0], Program)
    return shown and isinstance(expected, dict) and isinstance(got, dict)


def each_number(expected: Any, change: Callable[[Any], Any]) -> Any:
    """Apply `change` to every number and tensor of a structure."""
    if isinstance(expected, dict):
        return {key: each_number(value, change) for key, value in expected.items()}
    if isinstance(expected, list | tuple):
        return [each_number(value, change) for value in expected]
    if isinstance(expected, bool | str) or expected is None:
        return expected
    return change(expected)


def change_where_matching(expected: Any, got: Any, change: Callable[[Any, Any], Any]) -> Any:
    """Replace each wrong part of `expected` by `change(expected, got)` where that equals the part of `got`.

    Args:
        change: from a part of `expected` and the corresponding part of `got` to another part, or None.

    Returns:
        None if nothing was replaced.
    """
    made, fits = _fitted(expected, got, change)
    return made if fits else None


def _fitted(expected: Any, got: Any, change: Callable[[Any, Any], Any]) -> tuple[Any, bool]:
    if agree(got, expected):
        return expected, False
    changed = change(expected, got)
    if changed is not None and agree(got, changed):
        return changed, True
    if isinstance(expected, dict) and isinstance(got, dict):
        parts = {key: _fitted(value, got.get(key), change) for key, value in expected.items()}
        return {key: part for key, (part, _) in parts.items()}, any(fits for _, fits in parts.values())
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple) and len(expected) == len(got):
        pairs = [_fitted(one, other, change) for one, other in zip(expected, got, strict=True)]
        return [part for part, _ in pairs], any(fits for _, fits in pairs)
    return expected, False


def numbers_of(structure: Any) -> list[float]:
    """Return all real numbers of a structure, in order."""
    if isinstance(structure, dict):
        return [number for value in structure.values() for number in numbers_of(value)]
    if isinstance(structure, list | tuple):
        return [number for value in structure for number in numbers_of(value)]
    if isinstance(structure, SeenTensor):
        structure = structure.data
    if isinstance(structure, torch.Tensor):
        return structure.detach().double().reshape(-1).tolist() if not structure.is_complex() else []
    number = as_number(structure)
    return [] if number is None else [number]


def tensor_of(value: Any) -> torch.Tensor | None:
    """Return the detached tensor of a tensor made here or sent by the sandbox; None for anything else."""
    if isinstance(value, SeenTensor):
        return value.data
    return value.detach() if isinstance(value, torch.Tensor) else None


NAN = -12345.0
"""Stands for nan where answers are compared; no answer contains it."""


def without_nan(structure: Any) -> Any:
    """Replace every nan of a structure by `NAN`."""
    if isinstance(structure, dict):
        return {key: without_nan(value) for key, value in structure.items()}
    if isinstance(structure, list | tuple):
        return [without_nan(value) for value in structure]
    if isinstance(structure, SeenTensor):
        return dataclasses.replace(structure, data=without_nan(structure.data))
    if isinstance(structure, torch.Tensor):
        return structure.detach().nan_to_num(nan=NAN, posinf=math.inf, neginf=-math.inf)
    return NAN if isinstance(structure, float) and math.isnan(structure) else structure
