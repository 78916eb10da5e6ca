"""What a rejudgement needs before it writes other points: a line in the log of decisions, and a copy to go back to."""

from __future__ import annotations

from typing import Any

from nbgrader.api import Gradebook, MissingEntry

from autograder.classroom.changes import other_points
from autograder.classroom.course import Course, Submission
from autograder.classroom.done import Done
from autograder.classroom.recording import Recorder
from autograder.classroom.run_options import RunOptions
from autograder.classroom.store import Store
from autograder.decisions.log import Change, Decision, DecisionLog, Kind, today
from autograder.decisions.replaced_results import Replaced, replaced_file

DECISION = "decision"
"""The key of a record that names the decision by which it was last changed."""


class Rejudgement:
    """The decision of one run to change the points of an assignment."""

    def __init__(self, course: Course, store: Store, recorder: Recorder, options: RunOptions) -> None:
        """
        Args:
            course: the course.
            store: where records are kept.
            recorder: of the course.
            options: hold the reason, and who gives it.
        """
        self._course, self._store, self._recorder, self._options = course, store, recorder, options
        self._log: DecisionLog | None = None
        self._number = 0

    @property
    def has_reason(self) -> bool:
        """Whether points of work that was graded before may change."""
        return bool(self._options.reason)

    def note(self, done: Done) -> int:
        """Keep what is about to be replaced, then log the change.

        Returns:
            The number of the decision.

        Raises:
            OSError: if either cannot be written.
        """
        if self._log is None:
            self._log = DecisionLog(self._course.gradebook)
            self._number = self._log.next_number
        one = done.submission
        names = one.assignment, one.student, one.notebook
        notebook = self._course.autograded(one).read_text(encoding="utf-8")
        waits = self._recorder.read(lambda gradebook: waiting(gradebook, one))
        path = replaced_file(self._course.gradebook, self._number, *names)
        replaced = Replaced(self._store.record(one) or {}, notebook, waits)
        self._recorder.retry(lambda: replaced.write(path))
        changes = tuple((old["task"], old["points"], new["points"]) for old, new in other_points(done))
        line = decision(self._number, Kind.REJUDGED, one, self._options, changes)
        log = self._log
        self._recorder.retry(lambda: log.append([line]))
        return self._number


def decision(
    number: int,
    kind: Kind,
    submission: Submission,
    options: RunOptions,
    changes: tuple[Change, ...],
    undoes: int = 0,
) -> Decision:
    """Return the line of the log for one submission whose points a run changes now.

    Args:
        number: of the decision.
        kind: Kind.REJUDGED or Kind.UNDONE.
        submission: whose points change.
        options: hold the reason, and who gives it.
        changes: the tasks, with their points before and after.
        undoes: the number of the decision that this one undoes; 0 if it undoes none.
    """
    names, said = (submission.assignment, submission.student), (options.reason, options.by, today())
    return Decision(number, kind, *names, *said, notebook=submission.notebook, changes=changes, undoes=undoes)


def waiting(gradebook: Gradebook, submission: Submission) -> dict[str, bool]:
    """Return whether each cell with points given by hand waits for a person."""
    try:
        return {one.cell.name: bool(one.needs_manual_grade) for one in by_hand(gradebook, submission)}
    except MissingEntry:
        return {}


def by_hand(gradebook: Gradebook, submission: Submission) -> list[Any]:
    """Return nbgrader's rows of the cells of a submission that have points given by hand.

    Raises:
        MissingEntry: if the gradebook does not know the submission.
    """
    row = gradebook.find_submission_notebook(submission.notebook, submission.assignment, submission.student)
    return [one for one in row.grades if one.manual_score is not None or one.extra_credit is not None]
