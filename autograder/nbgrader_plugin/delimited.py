"""Read and edit the small tables that instructors keep beside the gradebook, as spreadsheets write them.

Columns are separated by commas, semicolons or tabs, because spreadsheets write any of them depending on the country.
"""

from __future__ import annotations

import contextlib
import contextvars
import csv
import dataclasses
import io
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from autograder.whole_files import write_whole

SEPARATORS = ",;\t"


class ExtensionsError(Exception):
    """An unusable table of extensions or groups; the message names each line and what is wrong with it."""


@dataclasses.dataclass(frozen=True)
class Delimited:
    """A table as it stands in its file.

    Attributes:
        head: the names of the columns, in lower case.
        rows: each line that is not empty, with its number in the file; it may have fewer or more cells than the head.
        separator: what separates the cells.
    """

    head: list[str]
    rows: list[tuple[int, list[str]]]
    separator: str

    def named(self, cells: list[str]) -> dict[str, str]:
        """Return a line's cells by the names of their columns; a cell that is missing is empty."""
        return dict.fromkeys(self.head, "") | dict(zip(self.head, cells, strict=False))


_KEPT: contextvars.ContextVar[dict[Path, tuple[int, int] | None] | None] = contextvars.ContextVar("kept", default=None)


@contextlib.contextmanager
def read_once() -> Iterator[None]:
    """Treat each table as unchanged from its first reading on: a class is graded by one table, also if it is edited."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def state_of(table: Path) -> tuple[int, int] | None:
    """Return what distinguishes a file from its next version: time and size; None if it does not exist."""
    kept = _KEPT.get()
    if kept is not None and table in kept:
        return kept[table]
    try:
        status = table.stat()
        state = status.st_mtime_ns, status.st_size
    except FileNotFoundError:
        state = None
    if kept is not None:
        kept[table] = state
    return state


def read_delimited(table: Path) -> Delimited:
    """Read a table.

    Raises:
        ExtensionsError: if the file cannot be read as text.
    """
    try:
        text = table.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ExtensionsError(f"{table} is not UTF-8: save it again as CSV in UTF-8") from None
    except OSError as error:
        raise ExtensionsError(f"{table} cannot be read ({error.strerror})") from None
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        head = [name.strip().lower() for name in next(reader, [])]
        stripped = ([cell.strip() for cell in row] for row in reader)
        rows = [(reader.line_num, row) for row in stripped if any(row)]
    except csv.Error as error:
        raise ExtensionsError(f"{table}, line {reader.line_num}: {error}: save it again as CSV in UTF-8") from None
    return Delimited(head, rows, separator)


def remove_lines(table: Path, columns: Collection[str], name: str) -> bool:
    """Delete the lines of a table that have a name in one of these columns, leaving all others unchanged.

    Args:
        table: the file, which need not exist.
        columns: the first of them that the table has is searched; its first column if it has none.
        name: what is searched for.

    Returns:
        Whether any line was deleted.
    """
    head, *records = _records(table) or [("", [])]
    at = _searched(head[1], columns)
    kept = [head[0], *(text for text, cells in records if cells[at : at + 1] != [name])]
    if len(kept) == 1 + len(records):
        return False
    mode = stat.S_IMODE(table.stat().st_mode)
    write_whole(table, "".join(kept).encode("utf-8", errors="surrogateescape"), mode)
    return True


def names_in(table: Path, columns: Collection[str]) -> set[str]:
    """Return every name with which `remove_lines` would delete a line, whether or not the table is valid."""
    head, *records = _records(table) or [("", [])]
    at = _searched(head[1], columns)
    return {cells[at] for _, cells in records if any(cells[at : at + 1])}


def _searched(head: list[str], columns: Collection[str]) -> int:
    names = [name.lower() for name in head]
    return next((names.index(column) for column in columns if column in names), 0)


def _records(table: Path) -> list[tuple[str, list[str]]]:
    """Return the text of each record as it stands in a file, with its cells; a quoted cell may hold line ends."""
    try:
        text = table.read_bytes().decode("utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return []
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = list(io.StringIO(text.removeprefix(mark), newline=""))
    separator, at, found = _separator(lines[0] if lines else ""), 0, list[tuple[str, list[str]]]()
    while at < len(lines):
        rest = csv.reader(map(lines.__getitem__, range(at, len(lines))), delimiter=separator, strict=True)
        try:
            cells, end = next(rest), at + rest.line_num
        except csv.Error:  # a quote that is never closed must not take the next students' lines along
            cells, end = next(csv.reader([lines[at]], delimiter=separator)), at + 1
        found.append((("" if at else mark) + "".join(lines[at:end]), [cell.strip() for cell in cells]))
        at = end
    return found


def _separator(text: str) -> str:
    first = text.partition("\n")[0]
    return max(SEPARATORS, key=first.count)
