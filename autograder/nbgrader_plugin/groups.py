"""Read the students' groups from `gradebook/students.csv`, the roster that fills nbgrader's table of students.

`nbgrader db student import gradebook/students.csv` reads the columns id, last_name, first_name and email, and ignores
the others. A column `group`, or `section` as learning platforms call it, names each student's group. A student of
several groups has several lines.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from autograder.nbgrader_plugin.delimited import ExtensionsError, read_delimited, remove_lines, state_of

ROSTER = "students.csv"
STUDENT, GROUP = ("id", "student"), ("group", "section")
"""The names that the two columns may have."""
NONE: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def roster_beside(table: Path) -> Path:
    """Return the path of the roster, which lies beside the table of extensions and may not exist."""
    return table.with_name(ROSTER)


def groups_of_students(roster: Path) -> Mapping[str, tuple[str, ...]]:
    """Return each student's groups, in the order of the roster; empty if there is no roster.

    Raises:
        ExtensionsError: if it cannot be read, or lacks the column of students or of groups.
    """
    state = state_of(roster)
    return NONE if state is None else _read(roster, state)


@functools.lru_cache(maxsize=4)
def _read(roster: Path, _state: tuple[int, int]) -> Mapping[str, tuple[str, ...]]:
    table = read_delimited(roster)
    for columns in (STUDENT, GROUP):
        if not {*columns} & {*table.head}:
            raise ExtensionsError(
                f"{roster}, line 1: the first line must name a column {' or '.join(columns)}, because "
                "extensions.csv names a group"
            )
    student, group = (next(name for name in columns if name in table.head) for columns in (STUDENT, GROUP))
    found = dict[str, dict[str, None]]()
    for _, cells in table.rows:
        named = table.named(cells)
        if named[student] and named[group]:
            found.setdefault(named[student], {})[named[group]] = None
    return MappingProxyType({one: tuple(groups) for one, groups in found.items()})


def remove_from_roster(table: Path, student: str) -> bool:
    """Delete a student's lines from the roster beside a table of extensions; return whether there were any."""
    return remove_lines(roster_beside(table), STUDENT, student)
