"""`autograder grade --undo NUMBER`: put back what a rejudgement replaced, without running or judging anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import nbformat
from nbgrader.api import Gradebook, MissingEntry

from autograder.classroom.cell_scores import CellScores
from autograder.classroom.course import Course, Submission
from autograder.classroom.errors import CourseError
from autograder.classroom.recording import Recorder, Scored, recorder
from autograder.classroom.rejudging import by_hand, decision
from autograder.classroom.run_options import RunOptions
from autograder.classroom.store import DECISION, Store
from autograder.decisions.log import Change, DecisionLog, Kind
from autograder.decisions.replaced_results import DamagedCopyError, Replaced, replaced_files
from autograder.gradebook_access.reasons import reason
from autograder.verdicts.graded_notebook import GradedNotebook
from autograder.whole_files import write_whole


class Undo:
    """The undoing of one rejudgement.

    Attributes:
        restored: a line for each student whose earlier points are back.
        left: a line for each student whose points stay, with the reason.
    """

    def __init__(self, course: Course, store: Store, number: int, options: RunOptions) -> None:
        """
        Args:
            course: the course.
            store: where records are kept.
            number: of the decision.
            options: hold the reason, and who gives it.

        Raises:
            CourseError: if there is no rejudgement with this number, or none of what it replaced is there.
        """
        self._course, self._store, self._number, self._options = course, store, number, options
        self.restored, self.left = list[str](), list[str]()
        self._log = DecisionLog(course.gradebook)
        self._own = self._log.next_number
        made = {one.number for one in self._log.decisions if one.kind is Kind.REJUDGED}
        self._files = list(replaced_files(course.gradebook, number))
        if number not in made or not self._files:
            several = f"; there are {', '.join(map(str, sorted(made)))}" if made else ""
            raise CourseError(
                f"there is no rejudgement with the number {number} to undo{several}: see `autograder appeal --log`"
            )

    def run(self, say: Callable[[str], None]) -> None:
        """Put back what the decision replaced.

        Args:
            say: called with a sentence when it waits for the database.

        Raises:
            CourseError: if the database stays away or the disk stays full.
        """
        with recorder(self._course, say) as recording:
            for assignment, student, notebook, path in self._files:
                where = self._course.submitted / student / assignment / f"{notebook}.ipynb"
                submission = Submission(student, assignment, notebook, where)
                try:
                    self._put_back(recording, submission, Replaced.read(path))
                except CourseError:  # nothing can be written
                    raise
                except DamagedCopyError as error:
                    self.left.append(f"{student} ({assignment}): {error}")
                except Exception as error:  # only this submission stays as it is
                    self.left.append(f"{student} ({assignment}): {reason(error)}")

    def _put_back(self, recording: Recorder, submission: Submission, replaced: Replaced) -> None:
        named = f"{submission.student} ({submission.assignment})"
        now = self._store.record(submission) or {}
        if now.get(DECISION) != self._number:
            self.left.append(f"{named}: graded again, handed in anew or undone since")
            return
        graded, notebook = self._course.autograded(submission), nbformat.reads(replaced.notebook, as_version=4)
        mode = graded.stat().st_mode & 0o777 if graded.exists() else 0o644
        changes = tuple(_changes(GradedNotebook.read(graded), GradedNotebook.of(notebook)))
        time = self._course.time(submission).time
        row = recording.read(lambda gradebook: _timestamp(gradebook, submission))
        if row != time:
            self.left.append(f"{named}: handed in anew since")
            return
        line = decision(self._own, Kind.UNDONE, submission, self._options, changes, undoes=self._number)
        recording.retry(lambda: self._store.begin(submission, self._number))
        if not self._log.is_being_undone(self._number, submission.assignment, submission.student, submission.notebook):
            recording.retry(lambda: self._log.append([line]))
        recording.retry(lambda: write_whole(graded, replaced.notebook.encode(), mode))
        recording.record(submission.assignment, [Scored(submission, time, CellScores.of(notebook))])
        recording.change(lambda gradebook: _settle(gradebook, submission, replaced.waits))
        if replaced.record:
            recording.retry(lambda: self._store.keep_record(submission, replaced.record))
        else:
            self._store.begin(submission, None)
        told = ", ".join(f"{task} {_points(was)} -> {_points(now)}" for task, was, now in changes)
        self.restored.append(f"{named}: {told}" if told else named)


def _changes(now: GradedNotebook, then: GradedNotebook) -> Iterator[Change]:
    """Yield the tasks whose points differ, with the points of now and of the graded notebook that is put back."""
    for task, verdict in then.verdicts.items():
        was = now.verdicts.get(task, {}).get("points")
        if was != verdict["points"]:
            yield task, 0.0 if was is None else was, verdict["points"]


def _timestamp(gradebook: Gradebook, submission: Submission) -> object:
    try:
        gradebook.find_assignment(submission.assignment)
    except MissingEntry:
        raise CourseError(f"the gradebook does not know {submission.assignment}: put a backup of it back") from None
    return gradebook.find_submission(submission.assignment, submission.student).timestamp


def _settle(gradebook: Gradebook, submission: Submission, waits: dict[str, bool]) -> None:
    """Give cells with points by hand the state that they had, because the automatic score is as it was."""
    for grade in by_hand(gradebook, submission):
        if grade.cell.name in waits:
            grade.needs_manual_grade = waits[grade.cell.name]


def _points(points: float | None) -> str:
    return "none" if points is None else f"{points:g}"
