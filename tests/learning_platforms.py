"""What Canvas and Moodle do with a file of grades, as their documentation and sources say, without the platforms.

Canvas: "How do I import grades in the Gradebook?" of its instructor guide, and lib/gradebook_importer.rb of
github.com/instructure/canvas-lms. Moodle: docs.moodle.org, "Grade import", and grade/import/csv/classes/load_data.php
of github.com/moodle/moodle. Both are stricter here in what a file may be: a line must be as long as the first.
"""

from __future__ import annotations

import csv
import dataclasses
import re
from pathlib import Path

CANVAS_WHO = ("SIS User ID", "SIS Login ID", "Integration ID", "Root Account")


class RefusedError(Exception):
    """The platform takes nothing of the file."""


def rows_of(path: Path, escapechar: str | None = None) -> list[list[str]]:
    """The file's lines, each as long as the first."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True, escapechar=escapechar))
    assert {len(row) for row in rows} == {len(rows[0])}
    return rows


@dataclasses.dataclass
class CanvasCourse:
    """A course in Canvas.

    Attributes:
        students: id to name and login.
        assignments: id to title.
        points: of each assignment, by title.
        scores: by student's id and assignment's title.
    """

    students: dict[int, tuple[str, str]]
    assignments: dict[int, str]
    points: dict[str, str]
    scores: dict[tuple[int, str], str]

    def import_grades(self, path: Path) -> None:
        """Do what Canvas does with a file.

        Raises:
            RefusedError: for a first line that Canvas refuses, or a student whom it does not know.
        """
        head, *lines = rows_of(path)
        names = 2 if head[:2] == ["LastName", "FirstName"] else 1
        if (names == 1 and "Student" not in head[0]) or "ID" not in head[names]:
            raise RefusedError("Invalid header row")
        section = names + 1
        while head[section] in CANVAS_WHO:
            section += 1
        if "Section" not in head[section]:
            raise RefusedError("Invalid header row")
        titles = [self._title(cell) for cell in head[section + 1 :]]
        for line in lines:
            cells = dict(zip(titles, (cell.strip() for cell in line[section + 1 :]), strict=True))
            if "Points Possible" in line[0]:
                self.points |= {title: cell for title, cell in cells.items() if cell}
                continue
            student = self._student(line, names, head)
            for title, cell in cells.items():
                self._fill(student, title, cell)

    def _fill(self, student: int, title: str, cell: str) -> None:
        if cell in ("", "-"):
            self.scores.pop((student, title), None)
        elif cell != "N/A":
            assert cell == "EX" or re.fullmatch(r"\d+(\.\d+)?", cell), cell
            self.scores[student, title] = cell

    def _title(self, head: str) -> str:
        parts = re.fullmatch(r"(.*)\s\((\d+)\)", head)
        return self.assignments[int(parts[2])] if parts else head

    def _student(self, line: list[str], names: int, head: list[str]) -> int:
        leading = re.match(r"\s*(\d+)", line[names])  # Ruby's to_i
        if leading and int(leading[1]) in self.students:
            return int(leading[1])
        login = line[head.index("SIS Login ID")]
        for number, (name, own) in self.students.items():
            if login == own or line[0] == name:
                return number
        raise RefusedError(f"an unknown student: {line[0]}")


@dataclasses.dataclass
class MoodleItem:
    """A grade item in Moodle.

    Attributes:
        users: identifiers that Moodle knows.
        maximum: of the item.
        grades, feedback: by identifier.
    """

    users: set[str]
    maximum: float
    grades: dict[str, float]
    feedback: dict[str, str]

    def import_grades(self, path: Path, identifier: str, item: str) -> None:
        """Do what Moodle does with a file, with the columns mapped as its documentation says.

        Raises:
            RefusedError: where Moodle stops; then nothing is taken.
        """
        head, *lines = rows_of(path, escapechar="\\")  # as PHP's fgetcsv has it
        at, grade, said = (head.index(name) for name in (identifier, item, f"{item} (feedback)"))
        before, taken, student = len(lines), [], None
        for line in lines:
            cells = [cell.strip() for cell in line]
            if cells[at] not in ("", "0"):  # what PHP calls empty leaves the student of the line before
                student = cells[at]
            if student not in self.users:
                raise RefusedError(f"user mapping error: {student}")
            try:
                points = float(cells[grade]) if cells[grade] not in ("", "-") else None
            except ValueError:
                raise RefusedError("bad grade") from None
            if points is not None and points > 100:
                raise RefusedError("the grade is too big")
            taken.append((student, points, cells[said]))
        assert before == len(taken)
        for student, points, feedback in taken:
            self.grades.pop(student, None)
            if points is not None:
                self.grades[student] = min(points, self.maximum)
            self.feedback[student] = feedback
