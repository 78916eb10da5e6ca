"""Read a task's `equivalents.toml`: mutants that behave like the solution, each with the reason.

An entry is identified by the changed lines, not by a number, which would shift when an operator is added.
"""

from __future__ import annotations

import dataclasses
import json

from autograder.checks.task import Task
from autograder.proving.mutants.making import Change
from autograder.tasks.tables import TaskFolderError, read_tables

FILE = "equivalents.toml"
KEYS = {"within": str, "reason": str, "changes": list}
FEWEST_WORDS = 3


@dataclasses.dataclass(frozen=True)
class Equivalent:
    """A listed mutant that is equivalent to the solution, so that no check needs to kill it."""

    change: Change
    reason: str


def entries(task: Task) -> dict[Change, Equivalent]:
    """Read all entries of a task's list; most tasks have none.

    Raises:
        TaskFolderError: if the list is malformed, or an entry lacks a reason or is there twice.
    """
    path = task.folder / FILE
    if not path.exists():
        return {}
    found: dict[Change, Equivalent] = {}
    groups, lines, _ = read_tables(path, "equivalent", KEYS)
    for group, line in zip(groups, lines, strict=True):
        where = f"{path}, line {line}"
        if len(group["reason"].split()) < FEWEST_WORDS:
            raise TaskFolderError(f"{where}: say why these mutants are equivalent")
        for pair in group["changes"]:
            if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair)):
                raise TaskFolderError(f"{where}: a change is two texts, what the solution has and what the mutant has")
            change = Change(group["within"], *pair)
            if change in found:
                raise TaskFolderError(f"{where}: this entry is there twice: {change}")
            found[change] = Equivalent(change, group["reason"])
    return found


def as_entry(change: Change) -> str:
    """Return the table to paste into a task's list, in which the reason is still to be written."""
    was, wrote, within = map(_as_toml, (change.was, change.wrote, change.within))
    pair = f"    [\n        {was},\n        {wrote},\n    ],\n"
    return f'[[equivalent]]\nwithin = {within}\nreason = ""\nchanges = [\n{pair}]'


def _as_toml(text: str) -> str:
    """Return a string of TOML: a literal one, which reads like Python, where the text allows it."""
    return json.dumps(text, ensure_ascii=False) if "'" in text or "\n" in text else f"'{text}'"


def stale(task: Task, changes: set[Change]) -> tuple[Equivalent, ...]:
    """Return a task's entries that match none of these changes."""
    return tuple(one for change, one in entries(task).items() if change not in changes)
