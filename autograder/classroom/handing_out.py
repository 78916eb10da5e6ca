"""Jobs go out to workers, outcomes come back as they arrive, and what a lost worker had is handed out again."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any

from autograder.classroom.course import Submission
from autograder.classroom.executors import Place, work
from autograder.classroom.job import Job, Outcome
from autograder.nbgrader_plugin.repair import Repairs

AHEAD = 4
"""Jobs that wait for each worker: enough to keep all busy, few enough to keep memory flat."""
MOST_BREAKS = 2
"""How often a submission may be there when the workers' pool breaks before it is left alone."""
COMPLAIN_AFTER_SECONDS = 20.0


@dataclasses.dataclass
class Waiting:
    """A submission on its way through a worker.

    Attributes:
        key: names its answers.
        record: what will be kept of it, and what was kept before.
        repaired: its notebook's cells that were not as this release has them.
        stale: how the gradebook's row differed from what was graded; empty where it did not.
        breaks: how often a pool of workers broke that had it.
    """

    submission: Submission
    job: Job
    key: str
    record: dict[str, Any]
    repaired: Repairs
    stale: str = ""
    breaks: int = 0


def outcomes(place: Place, todo: Iterator[Waiting], say: Callable[[str], None]) -> Iterator[tuple[Waiting, Outcome]]:
    """Yield each submission with its outcome, in the order in which they arrive.

    Args:
        place: where the work is done.
        todo: read as workers become free.
        say: told when workers were lost, or nobody works.
    """
    pool: Executor | None = None
    running, again = dict[Future, Waiting](), list[Waiting]()
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
