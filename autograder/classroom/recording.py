"""The third stage of class grading: one short transaction records the scores of many submissions.

Rows are nbgrader's, and so are the rules: a submission's time, automatic scores and comments, cells that wait for a
person, points by hand that still count, late penalties. A test compares them with `nbgrader autograde`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TypeVar

from nbgrader.api import Gradebook
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

import autograder.nbgrader_plugin.patience  # noqa: F401
from autograder.classroom.assignment_rows import (
    COMMENT,
    GRADE,
    NOTEBOOK,
    SUBMISSION,
    AssignmentCells,
    AssignmentRows,
    NotebookRows,
)
from autograder.classroom.cell_scores import CellScores
from autograder.classroom.course import Course, Submission
from autograder.classroom.database import is_unusable, retry
from autograder.classroom.errors import CourseError
from autograder.gradebook_access.graded_answers import GradedAnswers, KeptAnswers, keep_answers
from autograder.gradebook_access.penalties import LatePenalties
from autograder.gradebook_access.reasons import reason
from autograder.nbgrader_plugin.points_by_hand import why_look_again
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.replacing import replaced

Result = TypeVar("Result")
POSTGRESQL = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}
"""libpq's settings, in seconds: a server whose machine lost power never closes its connections.

The last one, in milliseconds, is for a statement that is under way: the system sends no keepalives then, and would
itself repeat the statement for a quarter of an hour.
"""


@dataclasses.dataclass(frozen=True)
class Scored:
    """A submission whose scores are to be recorded.

    Attributes:
        submission: names the student, the assignment and the notebook.
        time: when it was handed in; None if unknown.
        scores: of its cells; None to assign its late penalty alone.
        missing: the assignment's other notebooks that were not handed in, which get 0.
    """

    submission: Submission
    time: datetime | None
    scores: CellScores | None
    missing: Sequence[str] = ()


@dataclasses.dataclass(frozen=True)
class Recorded:
    """What was recorded of a submission.

    Attributes:
        by_hand: tasks whose manual points somebody should look at, with the reason.
        penalty: for lateness.
    """

    by_hand: list[str]
    penalty: float | None


class Recorder:
    """Records scores in the gradebook of a course, through one connection."""

    def __init__(self, course: Course, gradebook: Gradebook, say: Callable[[str], None]) -> None:
        """
        Args:
            course: the course.
            gradebook: its gradebook, open.
            say: called with a sentence when the run waits for the database or a disk.
        """
        self.course, self._gradebook, self._say = course, gradebook, say
        self._cells: dict[str, AssignmentCells] = {}

    def record(self, assignment: str, scored: Sequence[Scored]) -> list[Recorded]:
        """Record the scores of an assignment's submissions, all or none.

        Raises:
            CourseError: if the database stays away or the disk stays full.
        """
        return self.retry(lambda: self._in_one_transaction(assignment, scored))

    def read(self, query: Callable[[Gradebook], Result]) -> Result:
        """Run a query, and leave no transaction open.

        Raises:
            CourseError: if the database stays away.
        """

        def reading() -> Result:
            try:
                return query(self._gradebook)
            finally:
                self._gradebook.db.remove()

        return self.retry(reading)

    def change(self, action: Callable[[Gradebook], None]) -> None:
        """Run an idempotent action on the gradebook in one transaction.

        Raises:
            CourseError: if the database stays away.
        """

        def changing() -> None:
            try:
                action(self._gradebook)
                self._gradebook.db.commit()
            finally:
                self._gradebook.db.remove()

        self.retry(changing)

    def retry(self, action: Callable[[], Result]) -> Result:
        """Run an idempotent action, and repeat it while the database or a disk is temporarily unusable.

        Raises:
            CourseError: if the database stays away or the disk stays full.
        """
        try:
            return retry(action, self._say, places=self.course.disks)
        except SQLAlchemyError as error:
            if is_unusable(error):
                raise CourseError(reason(error)) from error
            raise

    def _in_one_transaction(self, assignment: str, scored: Sequence[Scored]) -> list[Recorded]:
        session = self._gradebook.db
        try:
            recorded = self._rows(assignment, scored)
            session.commit()
            return recorded
        finally:
            session.remove()  # after an error this rolls back

    def _rows(self, assignment: str, scored: Sequence[Scored]) -> list[Recorded]:
        if assignment not in self._cells:
            self._cells[assignment] = AssignmentCells.read(self._gradebook, assignment)
        cells = self._cells[assignment]
        rows, penalties = AssignmentRows(self._gradebook, cells), LatePenalties(self.course.config, assignment)
        submissions, done = rows.of({one.submission.student: None for one in scored}), list[Recorded]()
        kept = KeptAnswers(self._gradebook).of_all(
            submissions[one.submission.student].notebooks[one.submission.notebook].id for one in scored
        )
        answers = dict[str, GradedAnswers]()
        for one in scored:
            student, found = one.submission.student, submissions[one.submission.student]
            notebook, asked = found.notebooks[one.submission.notebook], list[str]()
            if one.scores is not None:
                if found.timestamp != one.time:
                    found.timestamp = one.time
                    rows.change(SUBMISSION, found.id, timestamp=one.time)
                asked = _grades(rows, notebook, one.scores, kept.get(notebook.id, {}))
                answers[notebook.id] = one.scores.answers
                for name in one.missing:
                    _nothing(rows, found.notebooks[name])
            score = sum(grade.score for grade in notebook.grades.values())
            penalty = penalties.for_times(student, score, found.timestamp, cells.duedate, found.extension)
            if penalty != notebook.penalty:
                notebook.penalty = penalty
                rows.change(NOTEBOOK, notebook.id, late_submission_penalty=penalty)
            done.append(Recorded(asked, penalty))
        rows.write()
        keep_answers(self._gradebook, answers)
        return done


def _grades(rows: AssignmentRows, notebook: NotebookRows, scores: CellScores, kept: GradedAnswers) -> list[str]:
    """Change the grades and comments of one notebook; return the tasks whose points by hand need a look."""
    asked = []
    for name, row in notebook.grades.items():
        before = dataclasses.replace(row)
        is_judged = name in scores.automatic
        if is_judged:
            row.automatic = scores.automatic[name]
            row.waits = row.automatic is None or row.by_hand is not None
        elif row.automatic is not None and row.by_hand is None:  # a task, which got 0 while its notebook was missing
            row.automatic, row.waits = None, True
        if (row.by_hand is not None or row.extra is not None) and name in scores.answers:
            why = (
                ""
                if before.waits
                else why_look_again(kept.get(name), scores.answers[name], before.automatic, row.automatic)
            )
            row.waits = before.waits or bool(why) or (row.by_hand is None and row.automatic is None)
            if why:
                asked.append(f"{name.removeprefix(GRADE_ID)} ({why})")
        if name in scores.waits and row.by_hand is None:
            row.waits = True
        if row != before:
            rows.change(GRADE, row.id, auto_score=row.automatic, needs_manual_grade=row.waits)
    for name, comment in scores.comments.items():
        if name in notebook.comments and notebook.comments[name][1] != comment:
            rows.change(COMMENT, notebook.comments[name][0], auto_comment=comment)
    return asked


def _nothing(rows: AssignmentRows, notebook: NotebookRows) -> None:
    """Give 0 to a notebook that was not handed in, as nbgrader does."""
    for row in notebook.grades.values():
        rows.change(GRADE, row.id, auto_score=0.0, needs_manual_grade=False)


@contextlib.contextmanager
def recorder(course: Course, say: Callable[[str], None]) -> Iterator[Recorder]:
    """Open the gradebook to record what is graded in the block.

    Raises:
        CourseError: if the database stays away.
    """
    url = make_url(course.directory.db_url)
    if url.drivername.startswith("postgresql"):
        url = url.update_query_dict(POSTGRESQL)
    address = url.render_as_string(hide_password=False)
    # Its pool prints a traceback for each cut connection, even for one that `retry` handles.
    with replaced(logging.getLogger("sqlalchemy.pool"), "disabled", True):
        gradebook = retry(lambda: Gradebook(address, course.directory.course_id), say)
        with contextlib.closing(gradebook):
            yield Recorder(course, gradebook, say)
