"""The table that `nbgrader export` writes, `gradebook/grades.csv`, in which no name makes columns, lines or formulas.

nbgrader puts commas between the values as they are: a student called `a,,,,,30,0,30` had thirty points in it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, Student, SubmittedAssignment
from nbgrader.plugins import CsvExportPlugin

from autograder.exports.csv_cells import text

COLUMNS = ("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email")
COLUMNS += ("raw_score", "late_submission_penalty", "score", "max_score")


class Grades(CsvExportPlugin):
    """nbgrader's own columns and values, written by Python's csv."""

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
        students = [one for one in gradebook.students if not self.student or one.id in map(str, self.student)]
        for assignment in gradebook.assignments:
            if self.assignment and assignment.name not in map(str, self.assignment):
                continue
            submissions = {one.student_id: one for one in gradebook.assignment_submissions(assignment.name)}
            for student in students:
                yield [_cell(value) for value in _values(assignment, student, submissions.get(student.id))]


def _values(assignment: Assignment, student: Student, submission: SubmittedAssignment | None) -> list[object]:
    """A line's values; who handed nothing in has 0 points."""
    who = [student.id, student.last_name, student.first_name, student.email]
    points, penalty = (submission.score, submission.late_submission_penalty) if submission else (0.0, 0.0)
    when = submission.timestamp if submission else None
    scores = [points, penalty, max(0.0, points - penalty), assignment.max_score]
    return [text(assignment.name), assignment.duedate, when, *map(text, who), *scores]


def _cell(value: object) -> str:
    return "" if value is None else str(value)
