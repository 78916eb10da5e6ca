"""Submit jobs to workers, yield the results as they arrive, and resubmit the jobs of lost workers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from datetime import datetime
from typing import Any

from autograder.classroom.course import Submission
from autograder.classroom.current_rows import Row
from autograder.classroom.executors import Backend, work
from autograder.classroom.job import Job, JobResult
from autograder.gradebook_access.repairs import Repairs
from autograder.wire.frames import TornFrameError

AHEAD = 4
"""Jobs submitted per worker: enough to keep all of them busy, few enough to keep memory flat."""
SUSPECT = 2
"""Pool crashes after which a submission is run alone, so that no other one suffers from the next crash."""
MOST_BREAKS = 2
"""Pool crashes that a submission may be part of before it is given up, for each of the `AHEAD` jobs of a worker."""
COMPLAIN_AFTER_SECONDS = 20.0


@dataclasses.dataclass
class Pending:
    """A submission that a worker must grade.

    Attributes:
        submission: names the student, the assignment and the file.
        job: what the worker receives.
        key: names the answers, as `answers_key` does.
        record: the record to keep of it, and the earlier verdicts under "before".
        repaired: the notebook's cells that differed from this release's.
        stale: how the gradebook's row differed from what was graded; empty if it did not.
        time: when it was handed in; None if unknown.
        untimed: why the time of submission is unknown, if that should be reported.
        row: the gradebook's earlier row, if it has a late penalty or may get one.
        again: whether the same file was graded before, so that other points need a reason.
        breaks: pool crashes that it was part of.
    """

    submission: Submission
    job: Job
    key: str
    record: dict[str, Any]
    repaired: Repairs
    time: datetime | None = None
    stale: str = ""
    untimed: str = ""
    row: Row | None = None
    again: bool = False
    breaks: int = 0


class Workers:
    """The workers of a backend, who stay from one assignment to the next: their start costs as much as many jobs.

    They are there within a `with` block; blocks may be nested, and the outermost sends them home.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend, self._blocks = backend, 0
        self._pool: Executor | None = None

    def __enter__(self) -> Workers:
        self._blocks += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._blocks -= 1
        if not self._blocks:
            self._leave()

    def results(self, todo: Iterator[Pending], say: Callable[[str], None]) -> Iterator[list[tuple[Pending, JobResult]]]:
        """Yield the results that have arrived since the last look, each with its submission.

        Args:
            todo: submissions; read as workers become free.
            say: called with a sentence when workers were lost, or there are none.
        """
        running, again = dict[Future[bytes], Pending](), list[Pending]()
        try:
            while True:
                broken, arrived = list[Pending](), list[tuple[Pending, JobResult]]()
                while len(running) < self._room([*running.values(), *again]) and (
                    one := again.pop() if again else next(todo, None)
                ):
                    try:
                        packed = one.job.pack()
                    except TornFrameError:
                        arrived.append((one, JobResult(error="the notebook is too large to hand to a worker")))
                        continue
                    try:
                        running[self._open().submit(work, packed)] = one
                    except self._backend.lost:
                        broken.append(one)
                        break
                if not running and not broken:
                    if arrived:
                        yield arrived
                    return
                finished, _ = wait(running, COMPLAIN_AFTER_SECONDS, return_when=FIRST_COMPLETED)
                if not finished and (why := self._backend.why_waiting()):
                    say(why)
                was_alone = len(running) == 1
                for future in finished:
                    pending = running.pop(future)
                    try:
                        arrived.append((pending, JobResult.unpack(future.result())))
                    except self._backend.lost:
                        broken.append(pending)
                    except Exception as error:  # of the executor or the transport
                        arrived.append((pending, JobResult(error=f"{type(error).__name__}: {error}")))
                if broken:
                    broken += running.values()
                    running.clear()
                    say(self._backend.when_lost)
                    self._leave()
                    for pending in broken:
                        pending.breaks += MOST_BREAKS * AHEAD if was_alone and pending.breaks >= SUSPECT else 1
                        if pending.breaks > MOST_BREAKS * AHEAD:
                            arrived.append((pending, JobResult(error="its worker ended again and again")))
                        else:
                            again.append(pending)
                    again.sort(key=lambda one: one.breaks)  # suspects first: they are taken from the end
                yield arrived
        finally:
            if running:  # the caller has stopped: nobody waits for these
                self._leave()

    def _room(self, known: list[Pending]) -> int:
        """Return how many jobs may run at once: one while somebody's may be what ends the workers of all."""
        return 1 if any(one.breaks >= SUSPECT for one in known) else AHEAD * self._backend.capacity()

    def _open(self) -> Executor:
        self._pool = self._pool or self._backend.open()
        return self._pool

    def _leave(self) -> None:
        if self._pool is not None:
            self._backend.leave(self._pool)
            self._pool = None
