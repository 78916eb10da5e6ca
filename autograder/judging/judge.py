"""The judge of a process: one pytest session, kept open in a thread, that turns evidence into verdicts.

A session takes 50 ms to start and a few milliseconds to run again, so it is started once.
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Iterable

from autograder.checks.catalogue import find_task
from autograder.judging.evidence import Evidence
from autograder.judging.session import JudgingSession, LimitReached, Message
from autograder.judging.time_and_memory import GRACE_SECONDS, OUT_OF_TIME, SECONDS, Stopwatch
from autograder.tasks.folders import course_folder
from autograder.tasks.versions import of_label
from autograder.verdicts.verdict import Verdict
from autograder.wire.outcome import Outcome

LOOK_SECONDS = 0.25
"""Seconds between two looks at the time while waiting for a verdict."""


class Judge:
    """The open session, seen from other threads. Get it from `judge()`, because one is enough for a process.

    Attributes:
        seconds: the time limit for judging a task.
        course: the folder of the course whose checks it knows.
    """

    def __init__(self) -> None:
        self.seconds = SECONDS
        self.course = course_folder()
        self._tickets = itertools.count(1)
        self._session = JudgingSession()
        self._thread = threading.Thread(target=self._session.serve, name="judge", daemon=True)
        self._thread.start()

    @property
    def spent(self) -> bool:
        """Whether the session reached a limit, after which another must take its place."""
        return self._session.spent

    def wait(self) -> None:
        """Wait until the session has started; after an interrupt it may be called again."""
        self._session.ready.wait()

    def verdicts(self, tasks: Iterable[str], evidence: Evidence, memory: int | None = None) -> dict[str, Verdict]:
        """Run the checks of these tasks on the evidence.

        A task whose judging reaches a limit gets no points and a verdict that says why; a new judge judges the rest.

        Args:
            tasks: labels of tasks.
            evidence: the answers.
            memory: bytes that judging may allocate beyond what this process has; None for no limit.

        Returns:
            The verdicts by the tasks' names, in the order of the labels.

        Raises:
            RuntimeError: if the session itself failed; the message is pytest's.
        """
        wanted = [*dict.fromkeys(tasks)]
        ticket = next(self._tickets)
        self._session.jobs.put((ticket, wanted, evidence, memory))
        verdicts: dict[str, Verdict] = {}
        while True:
            try:
                answered, value = self._next()
            except KeyboardInterrupt:
                self._end()
                raise
            if answered is None:
                self._session.results.put((None, value))  # for the next call
                raise RuntimeError(f"the checks cannot run: {value}")
            if isinstance(value, LimitReached):
                if answered == ticket:
                    task = find_task(value.task)
                    verdicts[task.name] = Verdict.nothing(task, Outcome.LIMIT, value.reason)
                rest = [one for one in wanted if of_label(one)[0] not in verdicts]
                return verdicts | (judge().verdicts(rest, evidence, memory) if rest else {})
            if answered != ticket:
                continue  # it belongs to a job whose caller was interrupted while waiting
            if value is None:
                return verdicts
            if isinstance(value, str):
                raise RuntimeError(f"the checks cannot run: {value}")
            verdicts[value.task] = value

    def _next(self) -> Message:
        """Return the session's next message; if judging the current task takes too long, one that says so."""
        while True:
            try:
                return self._session.results.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                current = self._session.current
                if current is not None and self._thread.is_alive() and current.stopwatch.is_over(self.seconds):
                    self._abandon(current.stopwatch)
                    return current.ticket, LimitReached(current.task, OUT_OF_TIME)

    def _end(self) -> None:
        """End what is being judged, because it holds the process's state: its standard output, say."""
        if (current := self._session.current) is not None:
            self._abandon(current.stopwatch)

    def _abandon(self, stopwatch: Stopwatch) -> None:
        """Interrupt the thread and let it end; after the grace period, continue without it."""
        self._session.spent = True
        self._session.jobs.put(None)
        deadline = time.monotonic() + GRACE_SECONDS
        while self._thread.is_alive() and time.monotonic() < deadline:
            stopwatch.interrupt()
            self._thread.join(LOOK_SECONDS)


_judge: Judge | None = None


def judge() -> Judge:
    """Return the judge of this process; start one if there is none, if it reached a limit, or for another course."""
    global _judge
    if _judge is None or _judge.spent or _judge.course != course_folder():
        _judge = Judge()
    _judge.wait()
    return _judge
