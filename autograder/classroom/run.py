"""A class run: prepare jobs, hand them out, keep the answers, write the gradebook. A repeated run resumes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from autograder.classroom.course import Course, Submission
from autograder.classroom.current_rows import (
    OTHER_NOTEBOOK,
    Row,
    Rows,
    held,
    is_kept_result,
    is_same_work,
    is_worth_telling,
    is_written,
    same_penalty,
    why_stale,
)
from autograder.classroom.database import opened, retry
from autograder.classroom.done import Done, State
from autograder.classroom.errors import CourseError
from autograder.classroom.executors import Backend
from autograder.classroom.finishing import Finisher, other_penalty
from autograder.classroom.handing_out import Pending, Workers
from autograder.classroom.own_solutions import tell_unsolved
from autograder.classroom.preparing import depends_on, prepare, settings_key, timestamp_text
from autograder.classroom.recording import Recorder, recorder
from autograder.classroom.rejudging import is_being_undone
from autograder.classroom.restoring import restore_penalty, restore_row
from autograder.classroom.run_options import RunOptions, announcement
from autograder.classroom.store import DECISION, UNFINISHED, Store
from autograder.classroom.version import judging_digest
from autograder.gradebook_access.known_cells import KnownCells
from autograder.gradebook_access.penalties import LatePenalties
from autograder.gradebook_access.reasons import reason
from autograder.gradebook_access.turns import Turns
from autograder.grader.secret_seed import secret_seed, seed_is_another
from autograder.nbgrader_plugin.own_solution import other_kernel
from autograder.standings.course_changes import ASIDE, course_changes

UNDO_AGAIN = (
    "a run that undid decision {0} was interrupted: give `autograder grade --undo {0}` and its reason again, or "
    "--force and a reason to run it anew"
)


class ClassRun:
    """A run that grades the submissions of a course, one assignment at a time."""

    def __init__(self, course: Course, options: RunOptions, backend: Backend) -> None:
        """
        Args:
            course: the course.
            options: what to repeat, and whether to write.
            backend: runs the jobs.
        """
        self.course, self.options, self.workers = course, options, Workers(backend)
        self.store, self.turns = Store(course.gradebook), Turns(course.submitted)
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
        kernels = retry(lambda: self.course.kernelspecs(assignment), say)  # also because `prepare` asks, and not again
        for name, spec in kernels.items():
            if refused := other_kernel(assignment, name, spec):
                say(refused)
                del known[name]
        rows = retry(lambda: self._rows(assignment), say)
        finished, unanswered, seen = list[Done](), list[Submission](), 0

        def todo(submissions: Iterable[Submission], may_run: bool) -> Iterator[Pending]:
            nonlocal seen
            for submission in submissions:
                if submission.notebook not in known:
                    continue
                seen += 1
                found = self._planned(submission, known, rows, recording, may_run)
                if isinstance(found, Done):
                    finished.append(found)
                elif may_run or found.job.answers is not None or found.job.unreadable is not None:
                    yield found
                else:
                    unanswered.append(submission)

        with self.workers, recorder(self.course, say) as recording:
            for line in self.course.files.notes(assignment):
                say(line)
            if self.options.write:
                tell_unsolved(self.course, assignment, known, self.store, self.workers, say)
            finisher = Finisher(recording, self.store, known, self.options)
            first = not self.options.rejudge or self.options.force
            for arrived in self.workers.results(todo(self.course.submissions(assignment, students), first), say):
                unanswered += [pending.submission for pending, result in arrived if result.unanswered]
                yield from _drained(finished)
                yield from finisher.finish([one for one in arrived if not one[1].unanswered])
            yield from _drained(finished)
            if unanswered:
                say(announcement(len(unanswered), seen, self.options.write))
            if not self.options.write:
                yield from (Done(submission, State.UNANSWERED) for submission in unanswered)
                return
            for arrived in self.workers.results(todo(unanswered, True), say):
                yield from finisher.finish(arrived)
            yield from _drained(finished)

    def _rows(self, assignment: str) -> Rows:
        with opened(self.course.directory.db_url) as gradebook:
            return Rows.read(gradebook, assignment, LatePenalties(self.course.config, assignment))

    def _planned(
        self, submission: Submission, known: dict[str, KnownCells], rows: Rows, recording: Recorder, may_run: bool
    ) -> Done | Pending:
        """Plan a submission; whatever is wrong with it, or with what lies beside it, costs no other anything."""
        try:
            return self._plan(submission, known, rows, recording, may_run)
        except CourseError:  # nothing can be graded
            raise
        except Exception as error:
            return Done(submission, State.FAILED, reason=reason(error))

    def _plan(
        self, submission: Submission, known: dict[str, KnownCells], rows: Rows, recording: Recorder, may_run: bool
    ) -> Done | Pending:
        """Return the work that a submission needs from a worker, or its result if it needs none."""
        job, repaired = prepare(submission, self.course, known[submission.notebook], self.secret)
        time, row = self.course.time(submission), rows.of(submission)
        state = depends_on(job, known[submission.notebook], time.time)
        before = self.store.record(submission) or {}
        same = all(before.get(part) == state[part] for part in state)
        judged_by, settings = judging_digest(), settings_key(job, submission, self.course, self.secret)
        outdated = before.get("judged_by") != judged_by
        graded = self.course.graded(submission)
        changes = course_changes(graded, submission.notebook, known[submission.notebook])
        if before and not same and not changes:
            changes = [ASIDE]
        then = before["timestamp"] if "timestamp" in before else timestamp_text(row.timestamp if row else None)
        graded_before = then == state["timestamp"] and is_same_work(graded, job)
        unfinished = graded_before and UNFINISHED in before
        if unfinished and not self.options.force and is_being_undone(self.course, submission, before[DECISION]):
            return Done(submission, State.FAILED, reason=UNDO_AGAIN.format(before[DECISION]))
        there = same and not self.options.force and graded.exists
        verdicts, untimed = before.get("verdicts", []), time.why if is_worth_telling(time, row) else ""
        kept = is_kept_result(graded, verdicts, job, known[submission.notebook])
        stale = (why_stale(row, verdicts, time.time, graded) or ("" if kept else OTHER_NOTEBOOK)) if there else ""
        shown = [verdict | {"points": held(row, verdict)} for verdict in verdicts] if stale else verdicts
        renewed = self.options.rejudge or self.options.force
        stays = graded_before and before.get("settings", settings) == settings and is_written(graded, before)
        if stays and changes and not same and not renewed:
            verdicts = verdicts or list(graded.verdicts.values())
            stale = why_stale(row, verdicts, time.time, graded)
            found = Done(submission, State.UNCHANGED, verdicts, verdicts, changes=changes, stale=stale, untimed=untimed)
            return self._update_row(found, row, rows, recording, time.time, known)
        if there and not (self.options.rejudge and (outdated or changes)) and kept:
            found = Done(submission, State.UNCHANGED, verdicts, shown, outdated=outdated, changes=changes)
            found.stale, found.untimed = stale, untimed
            return self._update_row(found, row, rows, recording, time.time, known)
        if not self.options.force:
            job = dataclasses.replace(job, answers=self.store.answers(submission, state["key"]), run=may_run)
        if graded_before and DECISION in before:
            state |= {DECISION: before[DECISION]}
        shown = shown or list(graded.verdicts.values())
        record = state | {"judged_by": judged_by, "settings": settings, "before": shown}
        return Pending(
            submission,
            job,
            state["key"],
            record,
            repaired,
            time.time,
            stale,
            untimed,
            rows.with_penalty(row),
            again=unfinished or (graded_before and renewed),
        )

    def _update_row(
        self,
        done: Done,
        row: Row | None,
        rows: Rows,
        recording: Recorder,
        time: datetime | None,
        notebooks: Iterable[str],
    ) -> Done:
        """Restore the row if it is stale, else assign its late penalty if that has changed."""
        submission = done.submission
        try:
            if done.stale or row is None:
                done = dataclasses.replace(done, state=State.RESTORED)
                if not self.options.write:
                    return done
                missing = self.course.missing(submission, notebooks)
                with self.turns.held([self.course.parts(submission)]):
                    restored = restore_row(recording, submission, time, missing)
                penalty = other_penalty(rows.with_penalty(row), restored)
                return dataclasses.replace(done, by_hand=restored.by_hand, penalty=penalty)
            due = rows.penalty_due(submission, row)
            if same_penalty(row.penalty, due):
                return done
            if self.options.write:
                restore_penalty(recording, submission)
            return dataclasses.replace(done, state=State.NEW_PENALTY, penalty=(row.penalty, due))
        except CourseError:  # no row can be written
            raise
        except Exception as error:  # of any kind, even a plug-in's: only this submission fails
            return dataclasses.replace(done, state=State.FAILED, reason=reason(error))


def _drained(done: list[Done]) -> Iterator[Done]:
    while done:
        yield done.pop(0)
