"""The table of extensions, `gradebook/extensions.csv`.

Its columns are student, assignment (empty for all) and hours, separated by commas, semicolons or tabs, because
spreadsheets write any of them depending on the country. Other columns are ignored. Every line that cannot be used is
reported.
"""

from __future__ import annotations

import csv
import dataclasses
import functools
import io
import math
import stat
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from autograder.names import with_nearest
from autograder.whole_files import write_whole

COLUMNS = ("student", "assignment", "hours")
SEPARATORS = ",;\t"


class ExtensionsError(Exception):
    """An unusable table of extensions; the message names each line and what is wrong with it."""


@dataclasses.dataclass(frozen=True)
class Extension:
    """An extension that one line of the table grants.

    Attributes:
        line: its number in the file.
        student: the student's id.
        assignment: the assignment's name; empty for all.
        hours: hours after the due date.
    """

    line: int
    student: str
    assignment: str
    hours: float


def hours_granted(table: Path, student: str, assignment: str) -> float:
    """Look up the longest extension of a student for an assignment, in hours; 0 if there is none.

    Raises:
        ExtensionsError: if the table cannot be used.
    """
    granted = (one.hours for one in extensions(table) if one.student == student and one.assignment in ("", assignment))
    return max(granted, default=0.0)


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
        ExtensionsError: if the table cannot be used, or names an assignment that does not exist.
    """
    rows, wrong = _lines(table)
    unknown_assignments = [
        (one.line, f"there is no assignment {with_nearest(one.assignment, assignments)}")
        for one in rows
        if one.assignment and one.assignment not in assignments
    ]
    if wrong or unknown_assignments:
        raise _error(table, (*wrong, *unknown_assignments))
    unknown = [one for one in rows if one.student not in students]
    return [f"{table}, line {one.line}: nobody is called {with_nearest(one.student, students)}" for one in unknown]


def remove_student(table: Path, student: str) -> bool:
    """Delete a student's lines from a table, leaving all others unchanged.

    Returns:
        Whether any line was deleted.
    """
    try:
        text = table.read_bytes().decode("utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return False
    lines = text.splitlines(keepends=True)
    separator = _separator(lines[0]) if lines else ","
    head = [name.lower() for name in _cells(lines[0].lstrip("\ufeff"), separator)] if lines else []
    at = head.index("student") if "student" in head else 0
    kept = lines[:1] + [line for line in lines[1:] if _cells(line, separator)[at : at + 1] != [student]]
    if len(kept) == len(lines):
        return False
    mode = stat.S_IMODE(table.stat().st_mode)
    write_whole(table, "".join(kept).encode("utf-8", errors="surrogateescape"), mode)
    return True


Lines = tuple[tuple[Extension, ...], tuple[tuple[int, str], ...]]
"""The usable lines as extensions, and for each other line its number and what is wrong with it."""


def _lines(table: Path) -> Lines:
    try:
        status = table.stat()
    except FileNotFoundError:
        return (), ()
    return _read(table, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=4)
def _read(table: Path, _changed: int, _size: int) -> Lines:
    try:
        text = table.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ExtensionsError(f"{table} is not UTF-8: save it again as CSV in UTF-8") from None
    except OSError as error:
        raise ExtensionsError(f"{table} cannot be read ({error.strerror})") from None
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    head = [name.strip().lower() for name in next(reader, [])]
    if missing := [name for name in COLUMNS if name not in head]:
        raise ExtensionsError(
            f"{table}, line 1: the first line must name the columns student, assignment, hours; it lacks "
            f"{', '.join(missing)}"
        )
    rows, wrong, seen = list[Extension](), list[tuple[int, str]](), dict[tuple[str, str], int]()
    for row in reader:
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        complaints = list(_complaints(cells, head, reader.line_num, separator, seen))
        wrong += [(reader.line_num, complaint) for complaint in complaints]
        if not complaints:
            named = dict(zip(head, cells, strict=True))
            rows.append(Extension(reader.line_num, named["student"], named["assignment"], float(named["hours"])))
    return tuple(rows), tuple(wrong)


def _error(table: Path, wrong: Iterable[tuple[int, str]]) -> ExtensionsError:
    """Return an error that reports every unusable line, in order."""
    return ExtensionsError("\n".join(f"{table}, line {line}: {complaint}" for line, complaint in sorted(wrong)))


def _complaints(
    cells: list[str], head: list[str], line: int, separator: str, seen: dict[tuple[str, str], int]
) -> Iterator[str]:
    """Yield what is wrong with one line; `seen` maps student and assignment to the line that named them first."""
    if len(cells) != len(head):
        yield f"{len(cells)} columns instead of {len(head)}; the first line separates them by {separator!r}"
        return
    named = dict(zip(head, cells, strict=True))
    if not named["student"]:
        yield "no student is named"
    try:
        hours = float(named["hours"])
    except ValueError:
        hours = math.nan
    if not 0 <= hours < math.inf:
        yield f"{named['hours']!r} is no number of hours; write 48, or 1.5"
    before = seen.setdefault((named["student"], named["assignment"]), line)
    if before != line:
        yield f"the same student and assignment as in line {before}; keep one of them"


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]


def _separator(text: str) -> str:
    first = text.partition("\n")[0]
    return max(SEPARATORS, key=first.count)
