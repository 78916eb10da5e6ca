"""A class run: prepare, hand out, keep answers, write; started again, it goes on where it was."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator

from autograder.classroom.course import Course, Submission
from autograder.classroom.currency import Row, Rows, held, same_penalty, why_stale
from autograder.classroom.database import opened, patiently
from autograder.classroom.done import Done
from autograder.classroom.engine import one_engine
from autograder.classroom.errors import CourseError
from autograder.classroom.executors import Place
from autograder.classroom.handing_out import Waiting, outcomes
from autograder.classroom.job import Outcome
from autograder.classroom.late_penalties import LatePenalties
from autograder.classroom.preparing import exercise_key, key, prepare, text_key
from autograder.classroom.restoring import Restorer, holds
from autograder.classroom.store import Store
from autograder.classroom.version import JUDGING, sources
from autograder.classroom.writing import Graded, Writer
from autograder.grader.fingerprint import identity
from autograder.grader.secret_seed import secret_seed
from autograder.nbgrader_plugin.reasons import reason
from autograder.nbgrader_plugin.repair import Known


@dataclasses.dataclass(frozen=True)
class Wish:
    """What a run is to do.

    Attributes:
        rejudge: judge stored answers again, and write what changed; then run what has no answers to today's questions.
        write: False to find out what would change; nothing is written, and nothing run but with `force`.
        force: run and write everything anew.
    """

    rejudge: bool = False
    write: bool = True
    force: bool = False


class ClassRun:
    """One run over the submissions of one assignment."""

    def __init__(self, course: Course, wish: Wish, place: Place) -> None:
        """
        Args:
            course: the course.
            wish: what to do.
            place: where the work is done.
        """
        self.course, self.wish, self.place = course, wish, place
        self.store = Store(course.gradebook)
        self.secret = secret_seed(course.gradebook)

    def grade(self, assignment: str, say: Callable[[str], None], students: list[str] | None = None) -> Iterator[Done]:
        """Grade an assignment's submissions; each is written before it is yielded.

        Args:
            assignment: its name.
            say: told what a person should know meanwhile.
            students: only theirs.
        """
        known = patiently(lambda: self.course.cells(assignment), say)
        rows = patiently(lambda: self._rows(assignment), say)
        finished, unanswered, seen = list[Done](), list[Submission](), 0

        def todo(submissions: Iterable[Submission], may_run: bool) -> Iterator[Waiting]:
            nonlocal seen
            for submission in submissions:
                if submission.notebook not in known:
                    continue
                seen += 1
                found = self._look_at(submission, known, rows, restorer, may_run)
                if isinstance(found, Done):
                    finished.append(found)
                elif may_run or found.job.answers is not None or found.job.unreadable is not None:
                    yield found
                else:
                    unanswered.append(submission)

        with one_engine(self.course.directory.db_url, say) as troubles:
            writer, restorer = Writer(self.course, say, troubles), Restorer(self.course, say, troubles)
            first = not self.wish.rejudge or self.wish.force
            jobs = todo(self.course.submissions(assignment, students), first)
            for waiting, outcome in outcomes(self.place, jobs, say):
                yield from _emptied(finished)
                if outcome.unanswered:
                    unanswered.append(waiting.submission)
                else:
                    yield self._finish(waiting, outcome, writer)
            yield from _emptied(finished)
            if unanswered:
                say(_announcement(len(unanswered), seen, self.wish.write))
            if not self.wish.write:
                yield from (Done(submission, "without answers") for submission in unanswered)
                return
            for waiting, outcome in outcomes(self.place, todo(unanswered, True), say):
                yield self._finish(waiting, outcome, writer)

    def _rows(self, assignment: str) -> Rows:
        with opened(self.course.directory.db_url) as gradebook:
            return Rows.read(gradebook, assignment, LatePenalties(self.course.config, assignment))

    def _look_at(
        self, submission: Submission, known: Known, rows: Rows, restorer: Restorer, may_run: bool
    ) -> Done | Waiting:
        """What is to be done for a submission in a worker; where nothing is, what became of it here."""
        job, repaired = prepare(submission, self.course, known[submission.notebook], self.secret)
        named = key(job)
        state = {
            "key": named,
            "text": text_key(job),
            "exercise": exercise_key(known[submission.notebook]),
            "timestamp": self.course.timestamp(submission),
            "judged_by": sources(JUDGING),
        }
        before = self.store.record(submission) or {}
        same = all(before.get(part) == state[part] for part in ("key", "text", "exercise", "timestamp"))
        outdated = before.get("judged_by") != state["judged_by"]
        there = same and not self.wish.force and self.course.autograded(submission).exists()
        verdicts, row = before.get("verdicts", []), rows.of(submission)
        stale = why_stale(row, verdicts, state["timestamp"]) if there else ""
        shown = [verdict | {"points": held(row, verdict)} for verdict in verdicts] if stale else verdicts
        if there and not (self.wish.rejudge and outdated):
            # Where rows of other notebooks may be missing, too, nbgrader's conversion makes them.
            whole = row is not None or len(known) == 1
            if not stale or (whole and holds(self.course.autograded(submission), verdicts)):
                found = Done(submission, "unchanged", verdicts, shown, outdated=outdated, stale=stale)
                return self._brought_up_to_date(found, row, rows, restorer, state["timestamp"])
        if not self.wish.force:
            job = dataclasses.replace(job, answers=self.store.answers(submission, named), run=may_run)
        return Waiting(submission, job, named, state | {"before": shown}, repaired, stale)

    def _brought_up_to_date(self, done: Done, row: Row | None, rows: Rows, restorer: Restorer, timestamp: str) -> Done:
        """Write a row, or its late penalty, that is not what it should be."""
        submission = done.submission
        try:
            if done.stale:
                asked = restorer.scores(submission, timestamp) if self.wish.write else []
                return dataclasses.replace(done, state="restored", by_hand=asked)
            due = rows.penalty_due(submission, row)
            if same_penalty(row.penalty, due):
                return done
            if self.wish.write:
                restorer.penalty(submission)
            return dataclasses.replace(done, state="with a new penalty", penalty=(row.penalty, due))
        except CourseError:  # no row can be written
            raise
        except Exception as error:  # whatever it is, a plug-in's too, it is this submission's alone
            return dataclasses.replace(done, state="failed", reason=reason(error))

    def _finish(self, waiting: Waiting, outcome: Outcome, writer: Writer) -> Done:
        """Keep the answers, then write the gradebook, then say that it is written."""
        submission, state = waiting.submission, dict(waiting.record)
        before = state.pop("before")
        if outcome.error:
            return Done(submission, "failed", before=before, reason=outcome.error)
        if self.wish.write and outcome.answers and outcome.answers != waiting.job.answers:
            writer.keep(lambda: self.store.keep_answers(submission, waiting.key, outcome.answers))
        done = Done(
            submission,
            "graded" if outcome.ran and waiting.job.run else "judged",
            outcome.verdicts,
            before,
            outcome.ended,
            outcome.seconds,
            outcome.cpu,
            waiting.repaired,
            outcome.host,
            outcome.tier,
            stale=waiting.stale,
            scaled=outcome.scaled,
        )
        if not self.wish.write:
            return done
        self.store.forget(submission)
        try:
            graded = Graded(outcome, identity(waiting.job.cells, waiting.job.unreadable))
            done.by_hand = writer.write(submission.student, submission.assignment, {submission.notebook: graded})
        except CourseError:  # no submission can be written
            raise
        except Exception as error:  # whatever it is, it is this submission's alone
            return dataclasses.replace(done, state="failed", reason=reason(error))
        points = {"points": sum(v["points"] for v in outcome.verdicts)}
        points["maximum"] = sum(v["maximum"] for v in outcome.verdicts)
        names = {"student": submission.student, "assignment": submission.assignment}
        record = names | points | state | {"verdicts": outcome.verdicts}
        writer.keep(lambda: self.store.keep_record(submission, record))
        return done


def _emptied(done: list[Done]) -> Iterator[Done]:
    while done:
        yield done.pop(0)


def _announcement(count: int, seen: int, write: bool) -> str:
    """What a person is told before anything is run for a new judgement."""
    told = f"{count} of {seen} submissions have no kept answers to today's questions"
    if write:
        return f"{told}: they are run now."
    return f"{told}: nothing is run for --diff, so they are left out; `autograder grade --rejudge` runs them."
