"""What a rejudgement needs before it writes other points: a line in the log of decisions, and a copy to go back to."""

from __future__ import annotations

import contextlib
import functools
from typing import Any

from nbgrader.api import Gradebook, MissingEntry

from autograder.classroom.changes import other_points
from autograder.classroom.course import Course, Submission
from autograder.classroom.done import Done
from autograder.classroom.recording import Recorder
from autograder.classroom.run_options import RunOptions
from autograder.classroom.store import DECISION, UNFINISHED, Store
from autograder.decisions.log import Change, Decision, DecisionLog, Kind, today
from autograder.decisions.replaced_results import DamagedCopyError, Replaced, replaced_file


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

    @property
    def has_reason(self) -> bool:
        """Whether points of work that was graded before may change."""
        return bool(self._options.reason)

    def begun(self, done: Done) -> int | None:
        """Return the number of the decision that an earlier run logged for this change and did not finish, or None."""
        record = self._store.record(done.submission) or {}
        if UNFINISHED not in record:
            return None
        last = self._log.last_of(*_names(done.submission))
        if last is None or last.kind is not Kind.REJUDGED or last.number != record[DECISION]:
            return None
        return last.number if {*last.changes} == {*_changes(done)} else None

    def note(self, done: Done) -> int:
        """Keep what is about to be replaced, then log the change.

        Returns:
            The number of the decision.

        Raises:
            OSError: if either cannot be written.
        """
        log, number, one = self._log, self._number, done.submission
        notebook = self._course.autograded(one).read_text(encoding="utf-8")
        waits = self._recorder.read(lambda gradebook: waiting(gradebook, one))
        replaced = Replaced(self._record(one, notebook), notebook, waits)
        self._recorder.retry(lambda: replaced.write(replaced_file(self._course.gradebook, number, *_names(one))))
        self._recorder.retry(lambda: self._store.begin(one, number))
        line = decision(number, Kind.REJUDGED, one, self._options, _changes(done))
        self._recorder.retry(lambda: log.append([line]))
        return number

    def _record(self, submission: Submission, notebook: str) -> dict[str, Any]:
        """Return the record that belongs to a graded notebook; empty if a decision ended between the two.

        That of a decision which had not begun to write is in the decision's copy.
        """
        record = self._store.record(submission) or {}
        if UNFINISHED not in record:
            return record
        path = replaced_file(self._course.gradebook, record[DECISION], *_names(submission))
        with contextlib.suppress(DamagedCopyError, OSError):
            if (earlier := Replaced.read(path)).notebook == notebook:
                return earlier.record
        return {}

    @functools.cached_property
    def _log(self) -> DecisionLog:
        return DecisionLog(self._course.gradebook)

    @functools.cached_property
    def _number(self) -> int:
        return self._log.next_number


def _names(submission: Submission) -> tuple[str, str, str]:
    return submission.assignment, submission.student, submission.notebook


def _changes(done: Done) -> tuple[Change, ...]:
    return tuple((old["task"], old["points"], new["points"]) for old, new in other_points(done))


def is_being_undone(course: Course, submission: Submission, number: int) -> bool:
    """Tell whether a run that undid a decision for a submission ended before it had put everything back."""
    return DecisionLog(course.gradebook).is_being_undone(number, *_names(submission))


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
