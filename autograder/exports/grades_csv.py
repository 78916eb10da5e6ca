"""The table that `nbgrader export` writes, `gradebook/grades.csv`, in which no name adds columns, lines or formulas.

nbgrader's own exporter joins raw values with commas: a student called `a,,,,,30,0,30` had thirty points.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, Student
from nbgrader.plugins import CsvExportPlugin

from autograder.exports.csv_cells import text
from autograder.exports.plug_in import ChosenExport, ExportError
from autograder.gradebook_access.folder import gradebook_folder
from autograder.standings.course_changes import told
from autograder.standings.last_seen import report_differences
from autograder.standings.participants import has_participants, unregistered
from autograder.standings.standing import Standing, standings
from autograder.standings.state import State

NBGRADERS: tuple[str, ...] = ("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email")
NBGRADERS += ("raw_score", "late_submission_penalty", "score", "max_score")
COLUMNS = (*NBGRADERS, "state", "automatic", "by_hand", "extra_credit", "reason")
"""nbgrader's columns, where programs expect them, then the state of grading and how the points came about."""


class Grades(ChosenExport, CsvExportPlugin):  # type: ignore[misc]  # nbgrader has no types
    """Plug-in of `nbgrader export` for grades.csv; a score that is not final stays empty."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the table.

        Raises:
            ExportError: the gradebook does not know one of the names, or has no line to write where the existing file
                has some.
        """
        to, rows = Path(self.to) if self.to else self._usual(), list(self._rows(gradebook))
        if not rows and (lines := _lines(to)) > 1:
            raise ExportError(
                f"there is nothing in the gradebook to export, and {to} holds {lines - 1} lines, so it stays as it is: "
                "put a backup of gradebook.db back, or move that file away first"
            )
        with to.open("w", newline="", encoding="utf-8", errors="replace") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(COLUMNS)
            table.writerows(rows)
        self.log.info("Wrote the grades to %s", to)

    def _usual(self) -> Path:
        """Return the table's path without `--to`: beside the gradebook."""
        course = self.parent.coursedir
        return gradebook_folder(course) / "grades.csv"

    def _rows(self, gradebook: Gradebook) -> Iterator[list[str]]:
        students = self.chosen_students(gradebook)
        chosen = {one.name for one in self.chosen_assignments(gradebook)}
        for assignment in (one for one in gradebook.assignments if one.name in chosen):
            course = self.parent.coursedir
            for sentence in report_differences(gradebook, course, assignment.name):
                self.log.warning("%s", sentence)
            found = {one.student: one for one in standings(gradebook, course, assignment.name, students)}
            for sentence in told(assignment.name, [one.changes for one in found.values()]):
                self.log.warning("%s", sentence)
            zero = has_participants(gradebook, course, assignment.name)
            for name, student in students.items():
                yield [_cell(value) for value in _values(assignment, student, found[name], zero)]
            for one in [] if self.student else unregistered(gradebook, course, assignment.name):
                yield [_cell(value) for value in _values(assignment, Student(id=one.student), one, zero)]


def _values(assignment: Assignment, student: Student, standing: Standing, zero: bool) -> list[object]:
    """Return the values of a student's line for an assignment.

    Args:
        assignment, student: nbgrader's rows.
        standing: the student's standing in the assignment.
        zero: whether a missing submission has 0 points, as in nbgrader's own table; not if all are missing.
    """
    who = [student.id, student.last_name, student.first_name, student.email]
    when = standing.submission.timestamp if standing.submission else None
    given: list[float | None] = [standing.automatic, standing.by_hand, standing.extra]
    scores: list[object] = [standing.before_penalty, standing.penalty, standing.points]
    if standing.state is not State.GRADED and not (zero and standing.state is State.MISSING):
        scores = [None] * len(scores)
    if standing.reason or standing.state is State.MISSING:
        given = [None] * len(given)
    says = text(standing.reason or standing.not_final or standing.unknown_time)
    return [
        *(text(assignment.name), assignment.duedate, when),
        *map(text, who),
        *scores,
        *(standing.maximum, standing.state.value),
        *given,
        says,
    ]


def _lines(path: Path) -> int:
    """Count the lines of a file; 0 if it does not exist or is not a regular file."""
    return len(path.read_bytes().splitlines()) if path.is_file() else 0


def _cell(value: object) -> str:
    return "" if value is None else str(value)
