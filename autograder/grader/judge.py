"""One pytest session, kept open, that judges evidence whenever some comes.

A session costs 50 ms to start and a few to run again, so it is started once, in a thread of its own. It
touches plain data only: no student code runs in it. The last test of a submission has no next item, so that
every fixture is torn down and nothing passes from one submission to another.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import queue
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.checks import task as declarations
from autograder.checks.catalogue import find_task
from autograder.diagnosis import Finding
from autograder.grader.evidence import Evidence
from autograder.grader.judging_limits import (
    GRACE_SECONDS,
    OUT_OF_TIME,
    SECONDS,
    OverdueError,
    Stopwatch,
    memory_limited,
    reached_by,
)
from autograder.grader.verdict import Result, Verdict
from autograder.pytest_plugin import EVIDENCE, check_of

CHECKS = Path(declarations.__file__).parent
# Nothing of the caller's pytest configuration, terminal or capture has a place in this session.
ARGUMENTS = [
    str(CHECKS),
    f"--config-file={CHECKS / 'pytest.ini'}",
    f"--rootdir={CHECKS}",
    "--disable-plugin-autoload",
    "--noconftest",
    "--import-mode=importlib",
    "--assert=plain",
    "--capture=no",
    "-p",
    "autograder.pytest_plugin",
]
UNWANTED = ("terminal", "cacheprovider", "logging", "faulthandler", "warnings", "stepwise", "junitxml")
UNWANTED += ("threadexception", "unraisableexception", "pastebin", "debugging", "tmpdir", "doctest")
LOOK_SECONDS = 0.25
"""How often somebody who waits for a verdict looks at the time."""


@dataclasses.dataclass(frozen=True)
class _Doing:
    """What is being judged.

    Attributes:
        ticket: whose it is.
        task: its name.
    """

    ticket: int
    task: str


@dataclasses.dataclass(frozen=True)
class _Reached:
    """Judging a task reached a limit; the judge that says so judges nothing else.

    Attributes:
        task: its name.
        reason: which limit, as a sentence.
    """

    task: str
    reason: str


class Judge:
    """The open session. Use `judge()`; one is enough for a process.

    Attributes:
        seconds: the time that it may take for a task.
        spent: whether it reached a limit; another one takes its place then.
    """

    def __init__(self) -> None:
        self.seconds, self.spent = SECONDS, False
        self._jobs: queue.Queue = queue.Queue()
        self._results: queue.Queue = queue.Queue()
        self._outcome: tuple[bool, Finding | None, str] = (False, None, "")
        self._tickets = itertools.count(1)
        self._collected = threading.Event()
        self._doing: _Doing | None = None
        self._stopwatch: Stopwatch | None = None
        self._thread = threading.Thread(target=self._serve, name="judge", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Until the checks are collected. Whoever is interrupted meanwhile may wait again."""
        self._collected.wait()

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
        self._jobs.put((ticket, wanted, evidence, memory))
        verdicts: dict[str, Verdict] = {}
        while True:
            answered, value = self._next()
            if answered is None:
                self._results.put((None, value))  # for whoever asks next
                raise RuntimeError(f"the checks cannot run: {value}")
            if isinstance(value, _Reached):
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
                return self._results.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                doing = self._doing
                if doing is not None and self._thread.is_alive() and self._stopwatch.is_over(self.seconds):
                    self._leave()
                    return doing.ticket, _Reached(doing.task, OUT_OF_TIME)

    def _leave(self) -> None:
        """Stop what the thread is doing and let it end; where it does not listen, go on without it."""
        self.spent = True
        self._jobs.put(None)
        deadline = time.monotonic() + GRACE_SECONDS
        while self._thread.is_alive() and time.monotonic() < deadline:
            self._stopwatch.interrupt()
            self._thread.join(LOOK_SECONDS)

    def _serve(self) -> None:
        options = [option for name in UNWANTED for option in ("-p", f"no:{name}")]
        try:
            code = pytest.main([*ARGUMENTS, *options], plugins=[self])
            self._results.put((None, f"pytest ended with {code!r}"))
        except BaseException as error:
            self._results.put((None, repr(error)))
        finally:
            self._collected.set()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A check file that does not import is told, not skipped."""
        if report.failed:
            self._results.put((None, str(report.longrepr)))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running each item once: wait for evidence, run what it needs, wait again."""
        by_task: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            by_task.setdefault(check_of(item).task.name, []).append(item)
        self._stopwatch = Stopwatch()
        self._collected.set()
        with contextlib.suppress(OverdueError):
            while not self.spent and (job := self._jobs.get()) is not None:
                self._work(session, by_task, *job)
        return True

    def _work(
        self,
        session: pytest.Session,
        by_task: dict[str, list[pytest.Item]],
        ticket: int,
        tasks: set[str],
        evidence: Evidence,
        memory: int | None,
    ) -> None:
        session.stash[EVIDENCE] = evidence
        try:
            with memory_limited(memory):
                for verdict in self._judged(ticket, [by_task[task] for task in by_task if task in tasks]):
                    self._results.put((ticket, verdict))
            self._results.put((ticket, None))
        except BaseException as error:
            if (reason := reached_by(error)) and self._doing is not None:
                self.spent = True
                self._results.put((ticket, _Reached(self._doing.task, reason)))
            else:
                self._results.put((ticket, repr(error)))
        finally:
            self._doing = None
            del session.stash[EVIDENCE]

    def _judged(self, ticket: int, by_task: list[list[pytest.Item]]) -> Iterator[Verdict]:
        pairs = itertools.pairwise([item for items in by_task for item in items] + [None])
        for items in by_task:
            task = check_of(items[0]).task
            self._stopwatch.start()
            self._doing = _Doing(ticket, task.name)
            yield Verdict.of(task, [self._result(*next(pairs)) for _ in items])

    def _result(self, item: pytest.Item, following: pytest.Item | None) -> Result:
        self._outcome = (False, None, "it did not run")
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if self.spent:  # what ended this test was the end of its time
            raise OverdueError
        return Result.of(check_of(item), *self._outcome)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> pytest.TestReport:
        """Keep the outcome; anything but a finding is a defect of the check, not the student's.

        pytest's own report would quote the check's source for each finding: a quarter of the time of judging, and
        nobody reads it.
        """
        if call.excinfo is not None:
            value = call.excinfo.value
            reached = reached_by(value)
            found = value if isinstance(value, Finding) else Finding("limit", reached) if reached else None
            self._outcome = (False, found, "" if found else f"{type(value).__name__}: {value}")
        elif call.when == "call":
            self._outcome = (True, None, "")
        outcome = "passed" if call.excinfo is None else "failed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)


_judge: Judge | None = None


def judge() -> Judge:
    """The process's judge, started when first asked for, and again after one that reached a limit."""
    global _judge
    if _judge is None or _judge.spent:
        _judge = Judge()
    _judge.wait()
    return _judge
