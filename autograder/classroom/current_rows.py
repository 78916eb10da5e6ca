"""Currency of gradebook rows: a current row holds what was graded, and the late penalty that is due today.

A restored backup of the gradebook may be older than the results beside it, and due dates, penalties and extensions
change after grading. All rows of an assignment are read at once, before anything is written.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import Assignment, BaseCell, Grade, Gradebook, Notebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select

from autograder.classroom.course import Submission
from autograder.classroom.job import Job
from autograder.gradebook_access.graded_answers import KeptAnswers
from autograder.gradebook_access.known_cells import KnownCells
from autograder.gradebook_access.penalties import LatePenalties
from autograder.grader.fingerprint import identity, written
from autograder.grader.provenance import HANDED_IN
from autograder.notebooks.notes import KEY
from autograder.notebooks.submission_files import HandInTime
from autograder.standings.handed_in import digest
from autograder.standings.kept_result import CLOSE, holds_answers, holds_scores
from autograder.verdicts.graded_notebook import GradedNotebook
from autograder.verdicts.verdict import cell_of

OTHER_NOTEBOOK = "was recorded for another graded notebook"
MISSING = "missing"
"""The reason given for a row that does not exist."""
AT_A_TIME = 1_000
"""Scores fetched together, because a class may have a million."""


@dataclasses.dataclass(slots=True)
class Row:
    """The gradebook's row of one submitted notebook.

    Attributes:
        timestamp: when it was handed in.
        extension: nbgrader's own, apart from our table of extensions.
        penalty: for lateness; None if none was assigned.
        automatic: the automatic score of each graded cell, by the cell's name.
        score: the sum that nbgrader shows: manual scores in place of automatic ones, plus extra credit.
        answers: the answers that manual points were given for, where the gradebook keeps them; else empty.
    """

    timestamp: datetime | None
    extension: timedelta | None
    penalty: float | None
    automatic: dict[str, float | None] = dataclasses.field(default_factory=dict)
    score: float = 0.0
    answers: dict[str, list[Any]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Rows:
    """The gradebook's rows of an assignment.

    Attributes:
        due: the assignment's due date.
        penalties: the late penalties that are due today.
    """

    due: datetime | None
    penalties: LatePenalties
    _rows: dict[tuple[str, str], Row]

    @staticmethod
    def read(gradebook: Gradebook, assignment: str, penalties: LatePenalties) -> Rows:
        """Read an assignment's rows in one query.

        Args:
            gradebook: nbgrader's, open.
            assignment: its name.
            penalties: the late penalties that are due today.
        """
        cell = BaseCell.__table__
        found = gradebook.db.execute(
            select(
                SubmittedAssignment.student_id,
                Notebook.name,
                SubmittedAssignment.timestamp,
                SubmittedAssignment.extension,
                SubmittedNotebook.id,
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
        with_points = dict[str, Row]()
        for student, notebook, timestamp, extension, known_as, penalty, name, automatic, by_hand, extra in found:
            row = rows.setdefault((student, notebook), Row(timestamp, extension, penalty))
            if by_hand is not None or extra is not None:
                with_points[known_as] = row
            if name is not None:
                row.automatic[sys.intern(name)] = automatic
                scores = (by_hand if by_hand is not None else automatic, extra)
                row.score += sum(one for one in scores if one is not None)
        for known_as, answers in KeptAnswers(gradebook).of_all(with_points).items():
            with_points[known_as].answers = answers
        return Rows(gradebook.find_assignment(assignment).duedate, penalties, rows)

    def of(self, submission: Submission) -> Row | None:
        """Return a submission's row, or None if it has none."""
        return self._rows.get((submission.student, submission.notebook))

    def with_penalty(self, row: Row | None) -> Row | None:
        """Return the row if it has a late penalty or may get one, else None."""
        return row if row is not None and (row.penalty or self.due) else None

    def penalty_due(self, submission: Submission, row: Row) -> float | None:
        """Return the late penalty that nbgrader would assign today, or None."""
        return self.penalties.for_times(submission.student, row.score, row.timestamp, self.due, row.extension)


def why_stale(
    row: Row | None, verdicts: Iterable[dict[str, Any]], time: datetime | None, graded: GradedNotebook
) -> str:
    """Say how a row differs from the kept result; empty if it does not.

    Args:
        row: of the gradebook.
        verdicts: the kept ones, in the form of `Verdict.as_data`.
        time: when the submission was handed in, according to its file; None if the file does not say.
        graded: the graded notebook.
    """
    if row is None:
        return MISSING
    if not holds_scores(row.automatic, verdicts):
        return "held other scores"
    if row.answers and not holds_answers(row.answers, graded.answers):
        return "held points given by hand for other answers"
    return "" if row.timestamp == time else "held another time of submission"


def is_kept_result(graded: GradedNotebook, verdicts: Iterable[dict[str, Any]], job: Job, known: KnownCells) -> bool:
    """Tell whether a graded notebook was written with the kept result, and is not an older one that was restored.

    Args:
        graded: the notebook.
        verdicts: the kept ones.
        job: the submission, as it would be run today.
        known: the exercise's cells that the gradebook knows.
    """
    code, text = digest(identity(job.cells, job.unreadable)), "" if job.unreadable else written(job.cells)
    points = {task: verdict["points"] for task, verdict in graded.verdicts.items()}
    same = points == {verdict["task"]: verdict["points"] for verdict in verdicts}
    return same and graded.is_of(code, text) and graded.is_worth(known)


def is_same_work(graded: GradedNotebook, job: Job) -> bool:
    """Tell whether a graded notebook belongs to the file that is handed in now, whatever the course has become since.

    Args:
        graded: the notebook.
        job: the submission, as it would be run today.
    """
    if not graded.exists:
        return False
    about = job.notebook["metadata"][KEY]
    if graded.handed_in:
        return bool(graded.handed_in == about[HANDED_IN])
    # An earlier version of the course graded it, which kept digests of the repaired cells only.
    code, text = digest(identity(job.cells, job.unreadable)), "" if job.unreadable else written(job.cells)
    return bool(graded.digest) and graded.is_of(code, text)


def is_written(graded: GradedNotebook, record: Mapping[str, Any]) -> bool:
    """Tell whether a graded notebook holds the points of a submission's record; True if there is no record."""
    kept = {verdict["task"]: verdict["points"] for verdict in record.get("verdicts", [])}
    return not record or kept == {task: verdict["points"] for task, verdict in graded.verdicts.items()}


def is_worth_telling(time: HandInTime, row: Row | None) -> bool:
    """Tell whether to report an unknown time of submission; no report if there never was one, as in most archives."""
    return time.is_refused or (time.time is None and row is not None and row.timestamp is not None)


def held(row: Row | None, verdict: dict[str, Any]) -> float:
    """Return the automatic score that a row holds for a verdict's task; 0 if it holds none."""
    return (row.automatic.get(cell_of(verdict)) if row is not None else None) or 0.0


def same_penalty(one: float | None, other: float | None) -> bool:
    """Tell whether two late penalties cost the same; None costs nothing."""
    return math.isclose(one or 0.0, other or 0.0, abs_tol=CLOSE)
