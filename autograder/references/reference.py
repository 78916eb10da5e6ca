"""References with their two sources, and cases whose right answer is public."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any


@dataclasses.dataclass(frozen=True)
class Reference:
    """The right answers of one task, from two sources.

    Attributes:
        oracle: from a case's inputs to the right answer, computed at every call: whoever alters or watches autograd
            meanwhile must see it run.
        oracle_by: the oracle's method, in a few words.
        second: from a case's inputs to the right answer, without shared code; the tests use it.
        second_by: the second source's method, in a few words.
        second_error: how far the second source may be off, relative to the scale of the answer.
        changes: from a case's inputs to what the oracle changes of them, as `probes.call_changes` reports it.
        kept: what the oracle returns, for checks, from the run that told the changes if there was one; None if `oracle`
            does.
    """

    oracle: Callable[..., Any]
    oracle_by: str
    second: Callable[..., Any]
    second_by: str
    second_error: float = 1e-6
    changes: Callable[..., list[dict[str, Any]]] = lambda *inputs: []
    kept: Callable[..., Any] | None = None


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
