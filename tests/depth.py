"""How deep a run goes: `make test` takes one of each kind, `make proof` the others, and nothing runs twice.

A test, a module (`pytestmark = proof`) or one set of parameters is marked `proof` where `make test` leaves it out, and
`exhaustive` where `make proof` does too, because it asks every task or exercise the same once more, or compares one
more class with stock nbgrader, which takes minutes: `make exhaustive`. So `make proof` is about the machine (sandbox,
browsers, servers, classes), `make exhaustive` mostly about the tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest

proof = pytest.mark.proof
exhaustive = pytest.mark.exhaustive


def one_of_each(
    values: Iterable[Any], kind: Callable[[Any], Hashable], several: bool = False, rest: pytest.MarkDecorator = proof
) -> list[Any]:
    """Values for `parametrize`: the first of each kind as it is, the others marked.

    Args:
        values: what a test is run with.
        kind: what is alike.
        several: whether each value is a tuple, for several arguments.
        rest: the mark of the others.
    """
    seen: set[Hashable] = set()
    sorted_out = []
    for value in values:
        first = kind(value) not in seen
        seen.add(kind(value))
        sorted_out.append(value if first else pytest.param(*(value if several else (value,)), marks=rest))
    return sorted_out
