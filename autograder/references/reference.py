"""A reference with its two sources, and the public cases as reviewable text."""

from __future__ import annotations

import dataclasses
import functools
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from autograder.probes.programs import Program
from autograder.wire.plain import Specimen

PUBLIC = Path(__file__).with_name("public")


@dataclasses.dataclass(frozen=True)
class Reference:
    """What is right for one task.

    Attributes:
        oracle: from a case's inputs to the right answer; used by the check.
        oracle_by: how, in a few words.
        second: the same by another way that shares no code; used by the tests.
        second_by: how, in a few words.
        second_error: how far the second source may be off, relative to the scale of the answer.
    """

    oracle: Callable[..., Any]
    oracle_by: str
    second: Callable[..., Any]
    second_by: str
    second_error: float = 1e-6


@dataclasses.dataclass(frozen=True)
class PublicCase:
    """One case whose inputs and right answer everybody may read."""

    inputs: tuple
    expected: Any


@functools.cache
def _file(exercise: str) -> dict:
    return tomllib.loads((PUBLIC / f"{exercise}.toml").read_text(encoding="utf-8"))


def public_cases(exercise: str, task: str, group: str | None = None) -> list[PublicCase]:
    """The public cases of a task, in the order of the file.

    Args:
        exercise: "01_scalar_graphs".
        task: the task's name.
        group: only the cases of this group.

    Raises:
        LookupError: where there are none.
    """
    rows = [row for row in _file(exercise).get(task, []) if group is None or row.get("group") == group]
    if not rows:
        raise LookupError(f"references/public/{exercise}.toml has no case for {task} in group {group}")
    return [_case(row) for row in rows]


def _case(row: dict) -> PublicCase:
    expected = _value(row["expected"])
    if "program" in row:
        also, given = tuple(row.get("also", ())), _value(row.get("given", {}))
        return PublicCase((Program(row["program"], tuple(expected), also, given),), expected)
    return PublicCase(tuple(_value(item) for item in row["inputs"]), expected)


def _value(item: Any) -> Any:
    """TOML's value as the one it stands for: a table with `tensor` or `family` is a tensor or a specimen."""
    if isinstance(item, list):
        return [_value(one) for one in item]
    if not isinstance(item, dict):
        return item
    if "tensor" in item:
        return torch.tensor(item["tensor"], dtype=getattr(torch, item.get("dtype", "float64")))
    if item.get("none"):
        return None
    if "family" in item:
        return Specimen(item["family"], {k: _value(v) for k, v in item.items() if k != "family"})
    return {key: _value(value) for key, value in item.items()}
