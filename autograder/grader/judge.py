"""Whom a process asks for verdicts: one pytest session, kept open, that judges evidence whenever some comes.

A session costs 50 ms to start and a few to run again, so it is started once, in a thread of its own.
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Iterable
from typing import Any

from autograder.checks.catalogue import find_task
from autograder.grader.evidence import Evidence
from autograder.grader.judging_limits import GRACE_SECONDS, OUT_OF_TIME, SECONDS
from autograder.grader.judging_session import JudgingSession, Reached
from autograder.grader.verdict import Verdict

LOOK_SECONDS = 0.25
"""How often somebody who waits for a verdict looks at the time."""


class Judge:
    """The open session, from outside. Use `judge()`; one is enough for a process.

    Attributes:
        seconds: the time that it may take for a task.
    """

    def __init__(self) -> None:
        self.seconds = SECONDS
        self._tickets = itertools.count(1)
        self._session = JudgingSession()
        self._thread = threading.Thread(target=self._session.serve, name="judge", daemon=True)
        self._thread.start()

    @property
    def spent(self) -> bool:
        """Whether it reached a limit; another one takes its place then."""
        return self._session.spent

    def wait(self) -> None:
        """Until the checks are collected. Whoever is interrupted meanwhile may wait again."""
        self._session.collected.wait()

    def verdicts(self, tasks: Iterable[str], evidence: Evidence, memory: int | None = None) -> dict[str, Verdict]:
        """Run the checks of these tasks on the evidence.

        Where judging a task reaches a limit, it has no points and its verdict says why; another judge goes on with
        the rest.

        Args:
            tasks: their names.
            evidence: the answers.
            memory: bytes that judging may take beyond what this process has; None in somebody else's process.

        Raises:
            RuntimeError: where the session itself failed; the message is pytest's.
        """
        wanted = set(tasks)
        ticket = next(self._tickets)
        self._session.jobs.put((ticket, wanted, evidence, memory))
        verdicts: dict[str, Verdict] = {}
        while True:
            answered, value = self._next()
            if answered is None:
                self._session.results.put((None, value))  # for whoever asks next
                raise RuntimeError(f"the checks cannot run: {value}")
            if isinstance(value, Reached):
                if answered == ticket:
                    verdicts[value.task] = Verdict.nothing(find_task(value.task), "limit", value.reason)
                rest = wanted - set(verdicts)
                return verdicts | (judge().verdicts(rest, evidence, memory) if rest else {})
            if answered != ticket:
                continue  # it belongs to a job whose asker was interrupted while waiting
            if value is None:
                return verdicts
            if isinstance(value, str):
                raise RuntimeError(f"the checks cannot run: {value}")
            verdicts[value.task] = value

    def _next(self) -> tuple[int | None, Any]:
        """The next word from the session; where its time is over before one comes, that."""
        while True:
            try:
                return self._session.results.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                doing = self._session.doing
                if doing is not None and self._thread.is_alive() and self._session.stopwatch.is_over(self.seconds):
                    self._leave()
                    return doing.ticket, Reached(doing.task, OUT_OF_TIME)

    def _leave(self) -> None:
        """Stop what the thread is doing and let it end; where it does not listen, go on without it."""
        self._session.spent = True
        self._session.jobs.put(None)
        deadline = time.monotonic() + GRACE_SECONDS
        while self._thread.is_alive() and time.monotonic() < deadline:
            self._session.stopwatch.interrupt()
            self._thread.join(LOOK_SECONDS)


_judge: Judge | None = None


def judge() -> Judge:
    """The process's judge, started when first asked for, and again after one that reached a limit."""
    global _judge
    if _judge is None or _judge.spent:
        _judge = Judge()
    _judge.wait()
    return _judge
