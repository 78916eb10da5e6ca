"""The pytest session that judges: it collects a task's checks when they are first needed, and runs them on evidence.

It runs in its own thread and touches plain data only: no student code runs in it. The last test of a submission has no
next item, so that every fixture is torn down and nothing passes from one submission to another.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import os
import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from autograder.checks.catalogue import find_task
from autograder.diagnosis import Finding
from autograder.diagnosis.agreeing import told_as_one
from autograder.judging.evidence import Evidence
from autograder.judging.items import EVIDENCE, check_of, items_of
from autograder.judging.time_and_memory import OverdueError, Stopwatch, limit_reached_by, memory_limited
from autograder.verdicts.verdict import Result, Verdict
from autograder.wire.outcome import Outcome

HERE = Path(__file__).parent
# The caller's pytest configuration, terminal, capture and environment must not affect this session.
ARGUMENTS = [
    f"--config-file={HERE / 'session.ini'}",
    f"--rootdir={HERE}",
    "--disable-plugin-autoload",
    "--noconftest",
    "--assert=plain",
    "--capture=no",
    "-p",
    "autograder.judging.items",
]
FROM_ENVIRONMENT = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")
UNWANTED = [
    *("terminal", "cacheprovider", "logging", "faulthandler", "warnings", "stepwise", "junitxml"),
    *("threadexception", "unraisableexception", "pastebin", "debugging", "tmpdir", "doctest"),
]


@dataclasses.dataclass(frozen=True)
class CurrentTask:
    """The task that is being judged.

    Attributes:
        ticket: the job's number.
        task: the task's label.
        stopwatch: the time that the judging thread has spent on it.
    """

    ticket: int
    task: str
    stopwatch: Stopwatch


@dataclasses.dataclass(frozen=True)
class LimitReached:
    """The last message of a session: judging a task reached a limit.

    Attributes:
        task: the task's label.
        reason: which limit, as a sentence.
    """

    task: str
    reason: str


Job = tuple[int, list[str], Evidence, int | None]
"""A ticket, labels of tasks, the evidence, and the memory limit in bytes."""
Message = tuple[int | None, Verdict | LimitReached | str | None]
"""A job's ticket with a verdict, None at its end, a limit that was reached, or an error; an error of the session itself
has no ticket."""


class JudgingSession:
    """pytest's session and the plug-in that steers it; other threads put jobs in and take results out.

    Attributes:
        jobs: what to judge; None ends the session.
        results: the session's messages.
        ready: set when the session has started or has failed to.
        current: the task that is being judged; None between jobs.
        spent: whether the session reached a limit, after which it judges nothing more.
    """

    def __init__(self) -> None:
        self.jobs: queue.Queue[Job | None] = queue.Queue()
        self.results: queue.Queue[Message] = queue.Queue()
        self.ready = threading.Event()
        self.current: CurrentTask | None = None
        self.spent = False
        self._outcome: tuple[bool, Finding | None, str] = (False, None, "")
        self._hidden: dict[str, str] = {}

    def serve(self) -> None:
        """Judge, in the calling thread, until the session ends."""
        options = [option for name in UNWANTED for option in ("-p", f"no:{name}")]
        self._hidden = {name: os.environ.pop(name) for name in FROM_ENVIRONMENT if name in os.environ}
        try:
            code = pytest.main([*ARGUMENTS, *options], plugins=[self])
            self.results.put((None, f"pytest ended with {code!r}"))
        except BaseException as error:
            self.results.put((None, repr(error)))
        finally:
            self.pytest_configure()
            self.ready.set()

    def pytest_configure(self) -> None:
        """Give the caller its environment back, as soon as pytest has read its own options."""
        os.environ.update(self._hidden)
        self._hidden.clear()

    def pytest_collection(self, session: pytest.Session) -> bool:
        """Collect no files: a course has many checks, and most processes judge those of one exercise."""
        session.items = []
        return True

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the checks of each job that arrives, instead of every item once."""
        by_task: dict[str, list[pytest.Item]] = {}
        self.ready.set()
        with contextlib.suppress(OverdueError):
            while not self.spent and (job := self.jobs.get()) is not None:
                self._work(session, by_task, job)
        return True

    def _work(self, session: pytest.Session, by_task: dict[str, list[pytest.Item]], job: Job) -> None:
        ticket, tasks, evidence, memory = job
        try:
            for task in tasks:
                by_task[task] = by_task.get(task) or [*items_of(session, [find_task(task)])]
        except Exception as error:  # of the course's code: a task without checks would cost its points
            self.results.put((ticket, str(error)))
            return
        session.stash[EVIDENCE] = lambda: evidence
        try:
            with memory_limited(memory):
                for verdict in self._judged(ticket, [by_task[task] for task in tasks]):
                    self.results.put((ticket, verdict))
            self.results.put((ticket, None))
        except BaseException as error:
            if (reason := limit_reached_by(error)) and self.current is not None:
                self.spent = True
                self.results.put((ticket, LimitReached(self.current.task, reason)))
            else:
                self.results.put((ticket, repr(error)))
        finally:
            self.current = None
            del session.stash[EVIDENCE]

    def _judged(self, ticket: int, by_task: list[list[pytest.Item]]) -> Iterator[Verdict]:
        following = iter([*itertools.chain(*by_task)][1:])
        for items in by_task:
            task = check_of(items[0]).task
            self.current = CurrentTask(ticket, task.label, Stopwatch())
            outcomes = [self._outcome_of(item, next(following, None)) for item in items]
            told_as_one(finding for _, finding, _ in outcomes)
            results = [Result.of(check_of(item), *one) for item, one in zip(items, outcomes, strict=True)]
            yield Verdict.of(task, results)

    def _outcome_of(self, item: pytest.Item, following: pytest.Item | None) -> tuple[bool, Finding | None, str]:
        self._outcome = (False, None, "it did not run")
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if self.spent:  # the timeout ended this test
            raise OverdueError
        return self._outcome

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Keep the outcome; an exception other than a finding is a defect of the check, not of the answer.

        pytest's own report would quote the check's source for each finding, which takes a quarter of the time of
        judging and is read by nobody.
        """
        if call.excinfo is not None:
            value = call.excinfo.value
            reason = limit_reached_by(value)
            found = value if isinstance(value, Finding) else Finding(Outcome.LIMIT, reason) if reason else None
            self._outcome = (False, found, "" if found else f"{type(value).__name__}: {value}")
        elif call.when == "call":
            self._outcome = (True, None, "")
        assert call.when != "collect"  # pytest asks for reports of items only
        outcome: Literal["passed", "failed"] = "passed" if call.excinfo is None else "failed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)
