"""A class run: prepare, hand out, keep answers, write; started again, it goes on where it was."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any

from autograder.classroom.course import Course, Submission
from autograder.classroom.database import patiently
from autograder.classroom.engine import one_engine
from autograder.classroom.errors import CourseError
from autograder.classroom.executors import Place, work
from autograder.classroom.job import Job, Outcome
from autograder.classroom.preparing import exercise_key, key, prepare
from autograder.classroom.store import Store
from autograder.classroom.version import JUDGING, sources
from autograder.classroom.writing import Graded, Writer
from autograder.grader.fingerprint import identity
from autograder.grader.secret_seed import secret_seed
from autograder.nbgrader_plugin.repair import Known, Repairs

AHEAD = 4
"""Jobs that wait for each worker: enough to keep all busy, few enough to keep memory flat."""
MOST_BREAKS = 2
"""How often a submission may be there when the workers' pool breaks before it is left alone."""
COMPLAIN_AFTER_SECONDS = 20.0


@dataclasses.dataclass(frozen=True)
class Wish:
    """What a run is to do.

    Attributes:
        rejudge: judge stored answers again, and write what changed; run only what has no answers.
        write: False to find out what would change and write nothing.
        force: run and write everything anew.
    """

    rejudge: bool = False
    write: bool = True
    force: bool = False


@dataclasses.dataclass
class Done:
    """What became of one submission.

    Attributes:
        state: "graded", "judged" (from stored answers), "unchanged" or "failed".
        verdicts: as `Verdict.as_data` has them.
        before: those of the record that stood there, for a comparison.
        repaired: its notebook's cells that were not as this release has them.
        host: the machine that worked on it.
        tier: what surrounded its sandbox; empty where nothing was run.
        reason: why it failed.
    """

    submission: Submission
    state: str
    verdicts: list[dict] = dataclasses.field(default_factory=list)
    before: list[dict] = dataclasses.field(default_factory=list)
    ended: dict[str, str] = dataclasses.field(default_factory=dict)
    seconds: float = 0.0
    cpu: float = 0.0
    repaired: Repairs = dataclasses.field(default_factory=Repairs)
    host: str = ""
    tier: str = ""
    reason: str = ""
    outdated: bool = False


@dataclasses.dataclass
class _Waiting:
    """A submission on its way through a worker."""

    submission: Submission
    job: Job
    key: str
    record: dict[str, Any]
    repaired: Repairs
    breaks: int = 0


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
        unchanged: list[Done] = []

        def todo() -> Iterator[_Waiting]:
            for submission in self.course.submissions(assignment, students):
                if submission.notebook in known:
                    found = self._look_at(submission, known[submission.notebook])
                    if isinstance(found, _Waiting):
                        yield found
                    else:
                        unchanged.append(found)

        with one_engine(self.course.directory.db_url, say) as troubles:
            writer = Writer(self.course, say, troubles)
            for waiting, outcome in self._outcomes(todo(), say):
                yield from _emptied(unchanged)
                yield self._finish(waiting, outcome, writer)
            yield from _emptied(unchanged)

    def _look_at(self, submission: Submission, known: Known) -> Done | _Waiting:
        """Whether anything is to be done for a submission."""
        job, repaired = prepare(submission, self.course, known, self.secret)
        named = key(job)
        state = {
            "key": named,
            "exercise": exercise_key(known),
            "timestamp": self.course.timestamp(submission),
            "judged_by": sources(JUDGING),
        }
        before = self.store.record(submission) or {}
        same = all(before.get(part) == state[part] for part in ("key", "exercise", "timestamp"))
        outdated = before.get("judged_by") != state["judged_by"]
        there = same and not self.wish.force and self.course.autograded(submission).exists()
        if there and not (self.wish.rejudge and outdated):
            return Done(submission, "unchanged", before["verdicts"], before["verdicts"], outdated=outdated)
        if not self.wish.force:
            job = dataclasses.replace(job, answers=self.store.answers(submission, named))
        return _Waiting(submission, job, named, state | {"before": before.get("verdicts", [])}, repaired)

    def _outcomes(self, todo: Iterator[_Waiting], say: Callable[[str], None]) -> Iterator[tuple[_Waiting, Outcome]]:
        """Outcomes in the order in which they arrive."""
        place = self.place
        pool: Executor | None = None
        running, again = dict[Future, _Waiting](), list[_Waiting]()
        try:
            while True:
                broken = []
                while len(running) < AHEAD * place.capacity() and (one := again.pop() if again else next(todo, None)):
                    pool = pool or place.open()
                    try:
                        running[pool.submit(work, one.job.pack())] = one
                    except place.lost:
                        broken.append(one)
                        break
                if not running and not broken:
                    return
                finished, _ = wait(running, COMPLAIN_AFTER_SECONDS, return_when=FIRST_COMPLETED)
                if not finished and (complaint := place.complaint()):
                    say(complaint)
                for future in finished:
                    waiting = running.pop(future)
                    try:
                        outcome = Outcome.unpack(future.result())
                    except place.lost:
                        broken.append(waiting)
                        continue
                    except Exception as error:  # of the machinery between here and there
                        outcome = Outcome(error=f"{type(error).__name__}: {error}")
                    yield waiting, outcome
                if broken:
                    broken += running.values()
                    running.clear()
                    say(place.when_lost)
                    place.leave(pool)
                    pool = None
                    for waiting in broken:
                        waiting.breaks += 1
                        if waiting.breaks > MOST_BREAKS * AHEAD:
                            yield waiting, Outcome(error="its worker ended again and again")
                        else:
                            again.append(waiting)
        finally:
            if pool is not None:
                place.leave(pool)

    def _finish(self, waiting: _Waiting, outcome: Outcome, writer: Writer) -> Done:
        """Keep the answers, then write the gradebook, then say that it is written."""
        submission, state = waiting.submission, dict(waiting.record)
        before = state.pop("before")
        if outcome.error:
            return Done(submission, "failed", before=before, reason=outcome.error)
        if outcome.answers and outcome.answers != waiting.job.answers:
            self.store.keep_answers(submission, waiting.key, outcome.answers)
        done = Done(
            submission,
            "graded" if outcome.ran else "judged",
            outcome.verdicts,
            before,
            outcome.ended,
            outcome.seconds,
            outcome.cpu,
            waiting.repaired,
            outcome.host,
            outcome.tier,
        )
        if not self.wish.write:
            return done
        self.store.forget(submission)
        try:
            graded = Graded(outcome, identity(waiting.job.cells, waiting.job.unreadable))
            writer.write(submission.student, submission.assignment, {submission.notebook: graded})
        except CourseError:  # no submission can be written
            raise
        except Exception as error:  # whatever it is, it is this submission's alone
            return dataclasses.replace(done, state="failed", reason=f"{type(error).__name__}: {error}")
        points = {"points": sum(v["points"] for v in outcome.verdicts)}
        points["maximum"] = sum(v["maximum"] for v in outcome.verdicts)
        names = {"student": submission.student, "assignment": submission.assignment}
        self.store.keep_record(submission, names | points | state | {"verdicts": outcome.verdicts})
        return done


def _emptied(done: list[Done]) -> Iterator[Done]:
    while done:
        yield done.pop(0)
