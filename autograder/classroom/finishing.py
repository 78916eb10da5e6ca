"""What the coordinator does with results as they arrive: answers, graded notebooks, rows and records, in that order.

The record comes last and says that all the rest is there, so that a run killed at any moment is continued by the next.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from autograder.classroom.cell_scores import CellScores
from autograder.classroom.changes import other_points
from autograder.classroom.current_rows import Row, same_penalty
from autograder.classroom.done import Done, Penalties, State
from autograder.classroom.errors import CourseError
from autograder.classroom.graded_files import GradedFiles
from autograder.classroom.handing_out import Pending
from autograder.classroom.job import JobResult
from autograder.classroom.recording import Recorded, Recorder, Scored
from autograder.classroom.rejudging import Rejudgement
from autograder.classroom.run_options import RunOptions
from autograder.classroom.store import DECISION, Store
from autograder.gradebook_access.reasons import reason
from autograder.gradebook_access.turns import Turns


class Finisher:
    """Writes the results of one assignment's submissions."""

    def __init__(self, recorder: Recorder, store: Store, notebooks: Collection[str], options: RunOptions) -> None:
        """
        Args:
            recorder: of the course.
            store: where answers and records are kept.
            notebooks: the assignment's, by name.
            options: whether to write.
        """
        self._recorder, self._store, self._notebooks, self._options = recorder, store, notebooks, options
        self._files, self._turns = GradedFiles(recorder.course), Turns(recorder.course.submitted)
        self._rejudgement = Rejudgement(recorder.course, store, recorder, options)

    def finish(self, arrived: Sequence[tuple[Pending, JobResult]]) -> list[Done]:
        """Keep the answers, write the notebooks, then the gradebook, then the records that say so.

        Args:
            arrived: submissions with what workers made of them.

        Returns:
            What became of each; one that cannot be written costs no other anything.

        Raises:
            CourseError: if none can be written.
        """
        with self._turns.held(self._recorder.course.parts(pending.submission) for pending, _ in arrived):
            return self._finish(arrived)

    def _finish(self, arrived: Sequence[tuple[Pending, JobResult]]) -> list[Done]:
        finished, written = list[Done](), list[tuple[Pending, Done, Scored, dict[str, Any]]]()
        for pending, result in arrived:
            done = _done(pending, result)
            finished.append(done)
            if result.error or not self._options.write:
                continue
            try:
                record, scores = _record(pending, result), CellScores.checked(result.scores)
                if pending.again and any(other_points(done)):
                    begun = self._rejudgement.begun(done)
                    if begun is None and not self._rejudgement.has_reason:
                        done.state = State.HELD_BACK
                        continue
                    record[DECISION] = begun or self._rejudgement.note(done)
                written.append((pending, done, self._written(done, pending, result, record, scores), record))
            except CourseError:  # no submission can be written
                raise
            except Exception as error:  # of any kind, even in what a worker sent: only this submission fails
                _fail(done, error)
        outcomes = _recorded(self._recorder, [scored for _, _, scored, _ in written])
        for (pending, done, _, record), outcome in zip(written, outcomes, strict=True):
            if isinstance(outcome, Exception):
                _fail(done, outcome)
            else:
                done.by_hand, done.penalty = outcome.by_hand, other_penalty(pending.row, outcome)
                self._keep(done, record)
        return finished

    def _written(
        self, done: Done, pending: Pending, result: JobResult, record: dict[str, Any], scores: CellScores
    ) -> Scored:
        """Keep a submission's answers and write its graded notebook; return what to record."""
        submission = pending.submission
        if result.answers and result.answers != pending.job.answers:
            self._recorder.retry(lambda: self._store.keep_answers(submission, pending.key, result.answers))
        self._recorder.retry(lambda: self._store.begin(submission, record.get(DECISION)))
        done.begun = True
        self._recorder.retry(lambda: self._files.write(submission, result.notebook))
        return Scored(submission, pending.time, scores, self._recorder.course.missing(submission, self._notebooks))

    def _keep(self, done: Done, record: dict[str, Any]) -> None:
        try:
            self._recorder.retry(lambda: self._store.keep_record(done.submission, record))
        except OSError as error:  # the next run grades it again
            _fail(done, error)


def _fail(done: Done, error: Exception) -> None:
    """Say that a submission was not graded; the tables of points then leave it out."""
    done.state, done.reason, done.verdicts = State.FAILED, reason(error), []


def _record(pending: Pending, result: JobResult) -> dict[str, Any]:
    """Return the record that says that the gradebook holds this result."""
    points = {kind: sum(verdict[kind] for verdict in result.verdicts) for kind in ("points", "maximum")}
    names = {"student": pending.submission.student, "assignment": pending.submission.assignment}
    state = {key: value for key, value in pending.record.items() if key != "before"}
    return names | points | state | {"verdicts": result.verdicts}


def _done(pending: Pending, result: JobResult) -> Done:
    """Return what a worker's result says, before anything is written."""
    before = pending.record["before"]
    if result.error:
        return Done(pending.submission, State.FAILED, before=before, reason=result.error)
    return Done(
        pending.submission,
        State.GRADED if result.ran and pending.job.run else State.JUDGED,
        result.verdicts,
        before,
        result.ended,
        result.seconds,
        result.cpu,
        pending.repaired,
        result.host,
        result.tier,
        stale=pending.stale,
        untimed=pending.untimed,
        scaled=result.scaled,
    )


def _recorded(recording: Recorder, scored: list[Scored]) -> list[Recorded | Exception]:
    """Record all together; if that fails, one by one, so that only those fail that cannot be recorded."""
    if not scored:
        return []
    try:
        return [*recording.record(scored[0].submission.assignment, scored)]
    except CourseError:  # nothing can be recorded
        raise
    except Exception as error:  # of any kind, even a plug-in's
        return [error] if len(scored) == 1 else [one for each in scored for one in _recorded(recording, [each])]


def other_penalty(row: Row | None, recorded: Recorded) -> Penalties | None:
    """Return the late penalties before and after a row was written; None if they are equal or there was no row."""
    if row is None or same_penalty(row.penalty, recorded.penalty):
        return None
    return row.penalty, recorded.penalty
