"""The CSV file that Canvas's gradebook exports, with the ids of Canvas's students and assignments."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from pathlib import Path

NAMES = (["Student"], ["LastName", "FirstName"])
TITLED = re.compile(r"(.*)\s\((\d+)\)", re.DOTALL)
POSSIBLE = "Points Possible"


class RosterError(ValueError):
    """The file is not what Canvas exports; the message says what is missing."""


@dataclasses.dataclass(frozen=True)
class Roster:
    """A gradebook as Canvas exported it.

    Attributes:
        headers: the cells of the first line.
        section: index of the column Section, the last one that identifies a student.
        possible: the cells of the line "Points Possible".
        students: the cells of each student's line, as many as the headers.
    """

    headers: list[str]
    section: int
    possible: list[str]
    students: list[list[str]]

    @staticmethod
    def read(path: Path) -> Roster:
        """Read an exported file.

        Raises:
            RosterError: Canvas did not export this file.
        """
        try:
            raw = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise RosterError(f"{path} cannot be read ({error})") from None
        first = raw.partition("\n")[0]
        delimiter = ";" if first.count(";") > first.count(",") else ","
        try:
            rows = list(csv.reader(io.StringIO(raw, newline=""), delimiter=delimiter))
        except csv.Error as error:
            raise RosterError(f"{path} cannot be read ({error})") from None
        headers = [cell.strip() for cell in rows[0]] if rows else []
        names = next((names for names in NAMES if headers[: len(names)] == names), None)
        if names is None or headers[len(names) : len(names) + 1] != ["ID"] or "Section" not in headers:
            raise RosterError(
                f"{path} does not start with the columns Student, ID, ..., Section: in Canvas, open Grades and choose "
                "Export, Export Entire Gradebook"
            )
        lines = [(row + [""] * len(headers))[: len(headers)] for row in rows[1:]]
        at = headers.index("ID")
        # Only students have a number, and a student may choose "Points Possible" as a name.
        students = [line for line in lines if line[at].strip().isdecimal()]
        others = (line for line in lines if not line[at].strip().isdecimal() and POSSIBLE in line[0])
        possible = next(others, [""] * len(headers))
        return Roster(headers, headers.index("Section"), possible, students)

    def by(self, column: str) -> dict[str, list[list[str]]]:
        """Return the students' lines by their value in a column.

        Raises:
            RosterError: the roster has no such column.
        """
        if column not in self.headers[: self.section]:
            raise RosterError(f"the roster has no column {column!r}; it has {', '.join(self.headers[: self.section])}")
        at = self.headers.index(column)
        found: dict[str, list[list[str]]] = {}
        for line in self.students:
            found.setdefault(line[at].strip(), []).append(line)
        return found

    def column(self, title: str) -> int | None:
        """Return the index of an assignment's column, found by title, or by title and id, "Exercise 1 (4711)".

        Raises:
            RosterError: Canvas has several assignments with this title.
        """
        found = []
        for at in range(self.section + 1, len(self.headers)):
            parts = TITLED.fullmatch(self.headers[at])
            if self.headers[at] == title or (parts and parts[1] == title):
                found.append(at)
        if len(found) > 1:
            ways = ", ".join(self.headers[at] for at in found)
            raise RosterError(f"Canvas has several assignments called {title!r} ({ways}): name one in Canvas.columns")
        return found[0] if found else None
