"""Which scores of an assignment may leave the gradebook: those that are final, after late penalties."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Collection, Iterator
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory


class State(enum.Enum):
    """How far a submission is."""

    FINAL = "final"
    """Its score may be sent."""
    BY_HAND = "by hand"
    """Some cell waits for a person."""
    NOT_GRADED = "not graded"
    """Handed in, and not graded yet."""
    MISSING = "missing"
    """Nothing was handed in."""


@dataclasses.dataclass(frozen=True)
class Score:
    """One student's standing in one assignment.

    Attributes:
        student: nbgrader's id.
        state: how far the submission is.
        points: after the late penalty, never below 0; above the maximum with extra credit. 0 unless final.
        penalty: points that lateness cost.
        submission: nbgrader's row, where there is one.
    """

    student: str
    state: State
    points: float = 0.0
    penalty: float = 0.0
    submission: SubmittedAssignment | None = None


def scores_of(
    gradebook: Gradebook, course: CourseDirectory, assignment: Assignment, students: Collection[str]
) -> Iterator[Score]:
    """The standing of each of these students, by id.

    Args:
        gradebook: nbgrader's, open.
        course: says where submissions lie.
        assignment: which.
        students: their ids.
    """
    submissions = {row.student.id: row for row in gradebook.assignment_submissions(assignment.name)}
    for student in sorted(students):
        row = submissions.get(student)
        if row is None:
            handed_in = _handed_in(course, student, assignment.name)
            yield Score(student, State.NOT_GRADED if handed_in else State.MISSING)
        elif row.needs_manual_grade:
            yield Score(student, State.BY_HAND, submission=row)
        else:
            penalty = row.late_submission_penalty or 0.0
            yield Score(student, State.FINAL, max(0.0, row.score - penalty), min(penalty, row.score), row)


def _handed_in(course: CourseDirectory, student: str, assignment: str) -> bool:
    folder = Path(course.format_path(course.submitted_directory, student, assignment))
    return any(folder.glob("*.ipynb"))
