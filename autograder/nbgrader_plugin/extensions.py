"""The table of extensions and cohorts, `gradebook/extensions.csv`.

Its columns are student, group, assignment (empty for all), hours and cohort, separated by commas, semicolons or tabs.
Each line names a student or a group of `students.csv` (`groups.py`). Other columns are ignored. Every line that cannot
be used is reported.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from autograder.names import with_nearest
from autograder.nbgrader_plugin.delimited import Delimited, read_delimited, remove_lines, state_of
from autograder.nbgrader_plugin.delimited import ExtensionsError as ExtensionsError
from autograder.nbgrader_plugin.groups import groups_of_students, roster_beside
from autograder.standings.number_text import number

COLUMNS = ("student", "assignment", "hours")


@dataclasses.dataclass(frozen=True)
class Extension:
    """What one line of the table grants.

    Attributes:
        line: its number in the file.
        student: the student's id; empty if the line names a group.
        assignment: the assignment's name; empty for all.
        hours: hours after the due date.
        group: the group's name; empty if the line names a student.
        cohort: the cohort, which gets drawn inputs of its own; empty for that of the settings.
    """

    line: int
    student: str
    assignment: str
    hours: float
    group: str = ""
    cohort: str = ""

    @property
    def said(self) -> str:
        """The extension and the cohort in words: "48 h extension (group B), cohort autumn"; empty if there are none."""
        by = f" (group {self.group})" if self.group else ""
        parts = [f"{number(self.hours)} h extension{by}" if self.hours else "", self.cohort and f"cohort {self.cohort}"]
        return ", ".join(filter(None, parts))


def granted(table: Path, student: str, assignment: str) -> Extension:
    """Find what a student has for an assignment: the longest of the extensions, and the most specific cohort.

    A line of the student's own decides on the cohort before one of a group, then one for this assignment before one
    for all.

    Raises:
        ExtensionsError: if the table cannot be used.
    """
    rows = [one for one in extensions(table) if one.assignment in ("", assignment)]
    groups = _groups(table, rows).get(student, ())
    rows = [one for one in rows if (one.group in groups if one.group else one.student == student)]
    longest = max(rows, key=lambda one: one.hours, default=Extension(0, student, "", 0.0))
    cohorts = [one for one in rows if one.cohort]
    cohort = min(cohorts, key=lambda one: (bool(one.group), not one.assignment), default=longest).cohort
    return dataclasses.replace(longest, student=student, cohort=cohort)


def hours_granted(table: Path, student: str, assignment: str) -> float:
    """Look up the longest extension of a student or of one of their groups, in hours; 0 if there is none.

    Raises:
        ExtensionsError: if the table cannot be used.
    """
    return granted(table, student, assignment).hours


def extensions(table: Path) -> tuple[Extension, ...]:
    """Read a table of extensions, again only if the file has changed.

    Raises:
        ExtensionsError: if it cannot be used.
    """
    rows, wrong = _lines(table)
    if wrong:
        raise _error(table, wrong)
    return rows


def check(table: Path, students: Collection[str], assignments: Collection[str]) -> list[str]:
    """Compare a table of extensions with a course.

    Args:
        table: the file.
        students: the ids of students who are in the gradebook or have handed in.
        assignments: the names of all assignments.

    Returns:
        A sentence for each line whose student is unknown, perhaps because they have not handed in yet.

    Raises:
        ExtensionsError: if the table cannot be used, or names an assignment or a group that does not exist.
    """
    rows, wrong = _lines(table)
    unknown = [
        (one.line, f"there is no assignment {with_nearest(one.assignment, assignments)}")
        for one in rows
        if one.assignment and one.assignment not in assignments
    ]
    groups = _groups(table, rows)
    unknown += _wrong_groups(table, rows, groups)
    if wrong or unknown:
        raise _error(table, (*wrong, *unknown))
    strangers = [one for one in rows if one.student and one.student not in students]
    return [
        f"{table}, line {one.line}: no student is called {with_nearest(one.student, students)}" for one in strangers
    ]


def remove_student(table: Path, student: str) -> bool:
    """Delete a student's lines from a table, leaving all others unchanged; return whether there were any."""
    return remove_lines(table, ("student",), student)


def _groups(table: Path, rows: Iterable[Extension]) -> Mapping[str, tuple[str, ...]]:
    """Return each student's groups; the roster is read only if a line names a group."""
    return groups_of_students(roster_beside(table)) if any(one.group for one in rows) else {}


def _wrong_groups(
    table: Path, rows: Iterable[Extension], groups: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[int, str]]:
    """Yield lines with groups that do not exist, and lines that put one student into two cohorts."""
    known, roster = {group for some in groups.values() for group in some}, roster_beside(table)
    grouped = [one for one in rows if one.group]
    for one in grouped:
        if one.group not in known:
            where = roster if roster.exists() else f"{roster}, which does not exist"
            yield one.line, f"there is no group {with_nearest(one.group, known)} in {where}"
    own = {one.student for one in rows if one.student and one.cohort}
    first = dict[tuple[str, str], Extension]()
    for one in grouped:
        for student in (student for student, some in groups.items() if one.group in some and student not in own):
            before = first.setdefault((student, one.assignment), one) if one.cohort else one
            if before.cohort != one.cohort:
                yield (
                    one.line,
                    f"{student} is also in the group of line {before.line}, with another cohort; give this student a "
                    "line of their own",
                )
                break


Lines = tuple[tuple[Extension, ...], tuple[tuple[int, str], ...]]
"""The usable lines as extensions, and for each other line its number and what is wrong with it."""


def _lines(table: Path) -> Lines:
    state = state_of(table)
    return ((), ()) if state is None else _read(table, state)


@functools.lru_cache(maxsize=4)
def _read(table: Path, _state: tuple[int, int]) -> Lines:
    read = read_delimited(table)
    missing = [name for name in COLUMNS if name not in read.head and not (name == "student" and "group" in read.head)]
    if missing:
        raise ExtensionsError(
            f"{table}, line 1: the first line must name the columns student, assignment, hours; it lacks "
            f"{', '.join(missing)}"
        )
    rows, wrong, seen = list[Extension](), list[tuple[int, str]](), dict[tuple[str, str, str], int]()
    for line, cells in read.rows:
        complaints = list(_complaints(cells, read, line, seen))
        wrong += [(line, complaint) for complaint in complaints]
        if not complaints:
            named = {"student": "", "group": "", "cohort": ""} | read.named(cells)
            who, hours = (named["student"], named["assignment"]), float(named["hours"] or 0)
            rows.append(Extension(line, *who, hours, named["group"], named["cohort"]))
    return tuple(rows), tuple(wrong)


def _error(table: Path, wrong: Iterable[tuple[int, str]]) -> ExtensionsError:
    """Return an error that reports every unusable line, in order."""
    return ExtensionsError("\n".join(f"{table}, line {line}: {complaint}" for line, complaint in sorted(wrong)))


def _complaints(cells: list[str], read: Delimited, line: int, seen: dict[tuple[str, str, str], int]) -> Iterator[str]:
    """Yield what is wrong with a line; `seen` maps student, group and assignment to the line that named them first."""
    if len(cells) != len(read.head):
        yield f"{len(cells)} columns instead of {len(read.head)}; the first line separates them by {read.separator!r}"
        return
    named = {"student": "", "group": "", "cohort": ""} | read.named(cells)
    if not named["student"] and not named["group"]:
        yield f"no student {'or group ' if 'group' in read.head else ''}is named"
    if named["student"] and named["group"]:
        yield "both a student and a group are named; write two lines"
    try:
        hours = float(named["hours"]) if named["hours"] or not named["cohort"] else 0.0
    except ValueError:
        hours = math.nan
    if not 0 <= hours < math.inf:
        yield f"{named['hours']!r} is not a number of hours; write 48, or 1.5"
    before = seen.setdefault((named["student"], named["group"], named["assignment"]), line)
    if before != line:
        what = "group" if named["group"] else "student"
        yield f"the same {what} and assignment as in line {before}; keep one of them"
