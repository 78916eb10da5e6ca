"""What makes a row of the gradebook current: it holds what was graded, and the late penalty that is due today.

A gradebook may be an older one than the results beside it (a backup was put back), and due dates, penalties and
extensions change after grading. All rows of an assignment are read at once, before anything is written.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import Assignment, BaseCell, Grade, Gradebook, Notebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.utils import parse_utc
from sqlalchemy import select

from autograder.classroom.course import Submission
from autograder.classroom.late_penalties import LatePenalties
from autograder.notebooks.grade_cells import GRADE_ID

CLOSE = 1e-6
"""Points that are equal: nbgrader reads them from a text."""
MISSING = "missing"
"""What is said of a row that is not there."""
AT_A_TIME = 1_000
"""Scores that are fetched together: a class may have a million."""


@dataclasses.dataclass(slots=True)
class Row:
    """One submitted notebook as the gradebook has it.

    Attributes:
        timestamp: when it was handed in.
        extension: nbgrader's own, beside our table of extensions.
        penalty: for lateness; None where none was assigned.
        automatic: the automatic score of each graded cell, by its name.
        score: the sum that nbgrader shows: points by hand before automatic ones, and extra credit.
    """

    timestamp: datetime | None
    extension: timedelta | None
    penalty: float | None
    automatic: dict[str, float | None] = dataclasses.field(default_factory=dict)
    score: float = 0.0


@dataclasses.dataclass
class Rows:
    """The rows of an assignment.

    Attributes:
        due: the assignment's due date.
        penalties: what lateness costs today.
    """

    due: datetime | None
    penalties: LatePenalties
    _rows: dict[tuple[str, str], Row]

    @staticmethod
    def read(gradebook: Gradebook, assignment: str, penalties: LatePenalties) -> Rows:
        """Read them in one query.

        Args:
            gradebook: nbgrader's, open.
            assignment: its name.
            penalties: what lateness costs today.
        """
        cell = BaseCell.__table__
        found = gradebook.db.execute(
            select(
                SubmittedAssignment.student_id,
                Notebook.name,
                SubmittedAssignment.timestamp,
                SubmittedAssignment.extension,
                SubmittedNotebook.late_submission_penalty,
                cell.c.name,
                Grade.auto_score,
                Grade.manual_score,
                Grade.extra_credit,
            )
            .join_from(SubmittedNotebook, SubmittedAssignment)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .outerjoin(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .outerjoin(cell, cell.c.id == Grade.cell_id)
            .where(Assignment.name == assignment)
            .execution_options(yield_per=AT_A_TIME)
        )
        rows: dict[tuple[str, str], Row] = {}
        for student, notebook, timestamp, extension, penalty, name, automatic, by_hand, extra in found:
            row = rows.setdefault((student, notebook), Row(timestamp, extension, penalty))
            if name is not None:
                row.automatic[sys.intern(name)] = automatic
                scores = (by_hand if by_hand is not None else automatic, extra)
                row.score += sum(one for one in scores if one is not None)
        return Rows(gradebook.find_assignment(assignment).duedate, penalties, rows)

    def of(self, submission: Submission) -> Row | None:
        """The row of a submission; None where it has none."""
        return self._rows.get((submission.student, submission.notebook))

    def penalty_due(self, submission: Submission, row: Row) -> float | None:
        """The late penalty that nbgrader would assign today; None for none."""
        if row.timestamp is None or self.due is None:
            return None
        late = row.timestamp - self.due - (row.extension or timedelta())
        return self.penalties.points(submission.student, row.score, late.total_seconds())


def why_stale(row: Row | None, verdicts: Iterable[dict[str, Any]], timestamp: str) -> str:
    """Say how a row differs from the kept result; empty where it does not.

    Args:
        row: of the gradebook.
        verdicts: the kept ones, as `Verdict.as_data` has them.
        timestamp: of the submission, as its file says; empty where it says nothing.
    """
    if row is None:
        return MISSING
    for verdict in verdicts:
        score = row.automatic.get(GRADE_ID + verdict["task"])
        if score is None or not math.isclose(score, verdict["points"], abs_tol=CLOSE):
            return "held other scores"
    if timestamp and parse_utc(timestamp) != row.timestamp:
        return "held another time of submission"
    return ""


def held(row: Row | None, verdict: dict[str, Any]) -> float:
    """The automatic score that a row has for the task of a verdict; 0 where it has none."""
    return (row.automatic.get(GRADE_ID + verdict["task"]) if row is not None else None) or 0.0


def same_penalty(one: float | None, other: float | None) -> bool:
    """Whether two late penalties cost the same; none costs nothing."""
    return math.isclose(one or 0.0, other or 0.0, abs_tol=CLOSE)
