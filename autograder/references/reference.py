"""References with their two sources, and cases whose right answer is public."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any


@dataclasses.dataclass(frozen=True)
class Reference:
    """The right answers of one task, from two sources.

    Attributes:
        oracle: from a case's inputs to the right answer; the check uses it.
        oracle_by: the oracle's method, in a few words.
        second: from a case's inputs to the right answer, without shared code; the tests use it.
        second_by: the second source's method, in a few words.
        second_error: how far the second source may be off, relative to the scale of the answer.
        changes: from a case's inputs to what the oracle changes of them, as `probes.call_changes` reports it.
    """

    oracle: Callable[..., Any]
    oracle_by: str
    second: Callable[..., Any]
    second_by: str
    second_error: float = 1e-6
    changes: Callable[..., list[dict[str, Any]]] = lambda *inputs: []


@dataclasses.dataclass(frozen=True)
class PublicCase:
    """One case whose inputs and right answer everybody may read.

    Attributes:
        inputs: arguments of the reference.
        expected: the right answer.
        about: what is special about it, in a few words: "a batch of one".
    """

    inputs: tuple[Any, ...]
    expected: Any
    about: str = ""
