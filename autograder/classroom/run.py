"""A class run: prepare jobs, hand them out, keep the answers, write the gradebook. A repeated run resumes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator

from autograder.classroom.course import Course, Submission
from autograder.classroom.current_rows import (
    OTHER_NOTEBOOK,
    Row,
    Rows,
    held,
    is_kept_result,
    is_worth_telling,
    same_penalty,
    why_stale,
)
from autograder.classroom.database import opened, retry
from autograder.classroom.database_engine import shared_engine
from autograder.classroom.done import Done, Penalties, State
from autograder.classroom.errors import CourseError
from autograder.classroom.executors import Backend
from autograder.classroom.handing_out import Pending, job_results
from autograder.classroom.job import JobResult
from autograder.classroom.preparing import depends_on, prepare
from autograder.classroom.restoring import Restorer
from autograder.classroom.row_writer import RowWriter
from autograder.classroom.run_options import RunOptions, announcement
from autograder.classroom.store import Store
from autograder.classroom.version import judging_digest
from autograder.classroom.writing import Graded, Writer
from autograder.gradebook_access.known_cells import KnownCells
from autograder.gradebook_access.penalties import LatePenalties
from autograder.gradebook_access.reasons import reason
from autograder.grader.fingerprint import identity
from autograder.grader.secret_seed import secret_seed, seed_is_another
from autograder.verdicts.graded_notebook import GradedNotebook


class ClassRun:
    """A run that grades the submissions of a course, one assignment at a time."""

    def __init__(self, course: Course, options: RunOptions, backend: Backend) -> None:
        """
        Args:
            course: the course.
            options: what to repeat, and whether to write.
            backend: runs the jobs.
        """
        self.course, self.options, self.backend = course, options, backend
        self.store = Store(course.gradebook)
        self.seed_is_another = seed_is_another(course.gradebook)
        self.secret = secret_seed(course.gradebook)

    def grade(self, assignment: str, say: Callable[[str], None], students: list[str] | None = None) -> Iterator[Done]:
        """Grade an assignment's submissions, and yield each result after it was written.

        Args:
            assignment: its name.
            say: called with sentences that a person should read meanwhile.
            students: grade only the submissions of these; of all students if empty.
        """
        known = retry(lambda: self.course.cells(assignment), say)
        rows = retry(lambda: self._rows(assignment), say)
        finished, unanswered, seen = list[Done](), list[Submission](), 0

        def todo(submissions: Iterable[Submission], may_run: bool) -> Iterator[Pending]:
            nonlocal seen
            for submission in submissions:
                if submission.notebook not in known:
                    continue
                seen += 1
                found = self._plan(submission, known, rows, restorer, may_run)
                if isinstance(found, Done):
                    finished.append(found)
                elif may_run or found.job.answers is not None or found.job.unreadable is not None:
                    yield found
                else:
                    unanswered.append(submission)

        with shared_engine(self.course.directory.db_url, say) as errors:
            writer, restorer = Writer(self.course, say, errors), Restorer(self.course, say, errors)
            first = not self.options.rejudge or self.options.force
            jobs = todo(self.course.submissions(assignment, students), first)
            for pending, result in job_results(self.backend, jobs, say):
                yield from _drained(finished)
                if result.unanswered:
                    unanswered.append(pending.submission)
                else:
                    yield self._finish(pending, result, writer)
            yield from _drained(finished)
            if unanswered:
                say(announcement(len(unanswered), seen, self.options.write))
            if not self.options.write:
                yield from (Done(submission, State.UNANSWERED) for submission in unanswered)
                return
            for pending, result in job_results(self.backend, todo(unanswered, True), say):
                yield self._finish(pending, result, writer)

    def _rows(self, assignment: str) -> Rows:
        with opened(self.course.directory.db_url) as gradebook:
            return Rows.read(gradebook, assignment, LatePenalties(self.course.config, assignment))

    def _plan(
        self, submission: Submission, known: dict[str, KnownCells], rows: Rows, restorer: Restorer, may_run: bool
    ) -> Done | Pending:
        """Return the work that a submission needs from a worker, or its result if it needs none."""
        job, repaired = prepare(submission, self.course, known[submission.notebook], self.secret)
        time, row = self.course.time(submission), rows.of(submission)
        state = depends_on(job, known[submission.notebook], time.time)
        before = self.store.record(submission) or {}
        same = all(before.get(part) == state[part] for part in state)
        judged_by = judging_digest()
        outdated = before.get("judged_by") != judged_by
        graded = GradedNotebook.read(self.course.autograded(submission))
        there = same and not self.options.force and graded.exists
        verdicts, untimed = before.get("verdicts", []), time.why if is_worth_telling(time, row) else ""
        kept = is_kept_result(graded, verdicts, job, known[submission.notebook])
        stale = (why_stale(row, verdicts, time.time, graded) or ("" if kept else OTHER_NOTEBOOK)) if there else ""
        shown = [verdict | {"points": held(row, verdict)} for verdict in verdicts] if stale else verdicts
        if there and not (self.options.rejudge and outdated):
            # If the exercise has several notebooks, their rows may be missing too: nbgrader's conversion makes them.
            whole = row is not None or len(known) == 1
            if kept and (whole or not stale):
                unchanged = State.UNCHANGED
                found = Done(submission, unchanged, verdicts, shown, outdated=outdated, stale=stale, untimed=untimed)
                return self._update_row(found, row, rows, restorer, state["timestamp"])
        if not self.options.force:
            job = dataclasses.replace(job, answers=self.store.answers(submission, state["key"]), run=may_run)
        record = state | {"judged_by": judged_by, "before": shown}
        return Pending(submission, job, state["key"], record, repaired, stale, untimed, rows.with_penalty(row))

    def _update_row(self, done: Done, row: Row | None, rows: Rows, restorer: Restorer, timestamp: str) -> Done:
        """Restore the row if it is stale, else assign its late penalty if that has changed."""
        submission = done.submission
        try:
            if done.stale or row is None:
                done = dataclasses.replace(done, state=State.RESTORED)
                if not self.options.write:
                    return done
                asked = restorer.scores(submission, timestamp)
                penalty = _other_penalty(rows.with_penalty(row), submission, restorer)
                return dataclasses.replace(done, by_hand=asked, penalty=penalty)
            due = rows.penalty_due(submission, row)
            if same_penalty(row.penalty, due):
                return done
            if self.options.write:
                restorer.penalty(submission)
            return dataclasses.replace(done, state=State.NEW_PENALTY, penalty=(row.penalty, due))
        except CourseError:  # no row can be written
            raise
        except Exception as error:  # of any kind, even a plug-in's: only this submission fails
            return dataclasses.replace(done, state=State.FAILED, reason=reason(error))

    def _finish(self, pending: Pending, result: JobResult, writer: Writer) -> Done:
        """Keep the answers, then write the gradebook, then the record that says so."""
        submission, state = pending.submission, dict(pending.record)
        before = state.pop("before")
        if result.error:
            return Done(submission, State.FAILED, before=before, reason=result.error)
        if self.options.write and result.answers and result.answers != pending.job.answers:
            writer.keep(lambda: self.store.keep_answers(submission, pending.key, result.answers))
        done = Done(
            submission,
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
        if not self.options.write:
            return done
        self.store.forget(submission)
        try:
            graded = Graded(result, identity(pending.job.cells, pending.job.unreadable))
            done.by_hand = writer.write(submission.student, submission.assignment, {submission.notebook: graded})
            done.penalty = _other_penalty(pending.row, submission, writer)
        except CourseError:  # no submission can be written
            raise
        except Exception as error:  # of any kind: only this submission fails
            return dataclasses.replace(done, state=State.FAILED, reason=reason(error))
        points = {"points": sum(v["points"] for v in result.verdicts)}
        points["maximum"] = sum(v["maximum"] for v in result.verdicts)
        names = {"student": submission.student, "assignment": submission.assignment}
        record = names | points | state | {"verdicts": result.verdicts}
        writer.keep(lambda: self.store.keep_record(submission, record))
        return done


def _other_penalty(row: Row | None, submission: Submission, writer: RowWriter) -> Penalties | None:
    """Return the late penalties before and after a row was written; None if they are equal or there was no row."""
    if row is None or same_penalty(row.penalty, now := writer.penalty_of(submission)):
        return None
    return row.penalty, now


def _drained(done: list[Done]) -> Iterator[Done]:
    while done:
        yield done.pop(0)
