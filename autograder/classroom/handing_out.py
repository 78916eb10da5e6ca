"""Submit jobs to workers, yield the results as they arrive, and resubmit the jobs of lost workers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any

from autograder.classroom.course import Submission
from autograder.classroom.current_rows import Row
from autograder.classroom.executors import Backend, work
from autograder.classroom.job import Job, JobResult
from autograder.gradebook_access.repairs import Repairs

AHEAD = 4
"""Jobs submitted per worker: enough to keep all of them busy, few enough to keep memory flat."""
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
        untimed: why the time of submission is unknown, if that should be reported.
        row: the gradebook's earlier row, if it has a late penalty or may get one.
        breaks: pool crashes that it was part of.
    """

    submission: Submission
    job: Job
    key: str
    record: dict[str, Any]
    repaired: Repairs
    stale: str = ""
    untimed: str = ""
    row: Row | None = None
    breaks: int = 0


def job_results(
    backend: Backend, todo: Iterator[Pending], say: Callable[[str], None]
) -> Iterator[tuple[Pending, JobResult]]:
    """Yield each submission with its result, in the order in which results arrive.

    Args:
        backend: runs the jobs.
        todo: submissions; read as workers become free.
        say: called with a sentence when workers were lost, or there are none.
    """
    pool: Executor | None = None
    running, again = dict[Future[bytes], Pending](), list[Pending]()
    try:
        while True:
            broken = []
            while len(running) < AHEAD * backend.capacity() and (one := again.pop() if again else next(todo, None)):
                pool = pool or backend.open()
                try:
                    running[pool.submit(work, one.job.pack())] = one
                except backend.lost:
                    broken.append(one)
                    break
            if not running and not broken:
                return
            finished, _ = wait(running, COMPLAIN_AFTER_SECONDS, return_when=FIRST_COMPLETED)
            if not finished and (why := backend.why_waiting()):
                say(why)
            for future in finished:
                pending = running.pop(future)
                try:
                    result = JobResult.unpack(future.result())
                except backend.lost:
                    broken.append(pending)
                    continue
                except Exception as error:  # of the executor or the transport
                    result = JobResult(error=f"{type(error).__name__}: {error}")
                yield pending, result
            if broken:
                broken += running.values()
                running.clear()
                say(backend.when_lost)
                if pool is not None:
                    backend.leave(pool)
                    pool = None
                for pending in broken:
                    pending.breaks += 1
                    if pending.breaks > MOST_BREAKS * AHEAD:
                        yield pending, JobResult(error="its worker ended again and again")
                    else:
                        again.append(pending)
    finally:
        if pool is not None:
            backend.leave(pool)
