"""The table that `nbgrader export` writes, `gradebook/grades.csv`, in which no name makes columns, lines or formulas.

nbgrader puts commas between the values as they are: a student called `a,,,,,30,0,30` had thirty points in it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, Student
from nbgrader.plugins import CsvExportPlugin

from autograder.exports.csv_cells import text
from autograder.standings.standing import Standing, standings, unregistered
from autograder.standings.state import State

NBGRADERS = ("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email")
NBGRADERS += ("raw_score", "late_submission_penalty", "score", "max_score")
COLUMNS = (*NBGRADERS, "state", "automatic", "by_hand", "extra_credit", "reason")
"""nbgrader's, where programs look for them, and then how far each is graded and how the points came about."""


class Grades(CsvExportPlugin):
    """nbgrader's own columns and values, written by Python's csv; a score that is not final stays empty."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the file."""
        to = Path(self.to) if self.to else self._usual()
        with to.open("w", newline="", encoding="utf-8", errors="replace") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(COLUMNS)
            table.writerows(self._rows(gradebook))
        self.log.info("Wrote the grades to %s", to)

    def _usual(self) -> Path:
        """Where the table goes without `--to`: beside the gradebook."""
        course = self.parent.coursedir
        return Path(course.format_path(course.submitted_directory, ".", ".")).resolve().parent / "grades.csv"

    def _rows(self, gradebook: Gradebook) -> Iterator[list[str]]:
        students = {one.id: one for one in gradebook.students if not self.student or one.id in map(str, self.student)}
        for assignment in gradebook.assignments:
            if self.assignment and assignment.name not in map(str, self.assignment):
                continue
            course = self.parent.coursedir
            found = {one.student: one for one in standings(gradebook, course, assignment.name, students)}
            for name, student in students.items():
                yield [_cell(value) for value in _values(assignment, student, found[name])]
            for one in [] if self.student else unregistered(gradebook, course, assignment.name):
                yield [_cell(value) for value in _values(assignment, Student(id=one.student), one)]


def _values(assignment: Assignment, student: Student, standing: Standing) -> list[object]:
    """A line's values; who handed nothing in has 0 points, as in nbgrader's own table."""
    who = [student.id, student.last_name, student.first_name, student.email]
    when = standing.submission.timestamp if standing.submission else None
    given = [standing.automatic, standing.by_hand, standing.extra]
    scores: list[object] = [standing.before_penalty, standing.penalty, standing.points]
    if standing.state not in (State.GRADED, State.MISSING):
        scores = [None] * len(scores)
    if standing.reason or standing.state is State.MISSING:
        given = [None] * len(given)
    says = text(standing.reason or standing.not_final)
    return [
        *(text(assignment.name), assignment.duedate, when),
        *map(text, who),
        *scores,
        *(standing.maximum, standing.state.value),
        *given,
        says,
    ]


def _cell(value: object) -> str:
    return "" if value is None else str(value)
