"""Mutants that behave as the solution does, listed in equivalents/NN_topic.toml with the reason.

An entry is known by its task and the changed lines, not by a number that moves when an operator is added.
"""

from __future__ import annotations

import dataclasses
import functools
import tomllib
from pathlib import Path

from tests.mutants.making import Change

LISTS = Path(__file__).with_name("equivalents")


@dataclasses.dataclass(frozen=True)
class Equivalent:
    """One mutant that no check needs to catch."""

    task: str
    change: Change
    reason: str


@functools.cache
def entries(lists: Path = LISTS) -> tuple[Equivalent, ...]:
    """All entries of all lists.

    Raises:
        ValueError: for an entry without a reason, and for one that stands there twice.
    """
    found: list[Equivalent] = []
    for path in sorted(lists.glob("*.toml")):
        for group in tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"]:
            if len(group["reason"].split()) < 3:
                raise ValueError(f"{group['task']}: say why these mutants are equivalent")
            changes = [Change(group["within"], was, wrote) for was, wrote in group["changes"]]
            found += [Equivalent(group["task"], change, group["reason"]) for change in changes]
    if len({(one.task, one.change) for one in found}) < len(found):
        raise ValueError("an entry of the list of equivalent mutants stands there twice")
    return tuple(found)


def stale(task: str, changes: set[Change]) -> tuple[Equivalent, ...]:
    """A task's entries that match none of these changes any more."""
    return tuple(one for one in entries() if one.task == task and one.change not in changes)
