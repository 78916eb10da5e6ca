"""The pytest session that judges: it collects the checks once, waits for evidence, and runs them again and again.

It runs in a thread of its own, and touches plain data only: no student code runs in it. The last test of a submission
has no next item, so that every fixture is torn down and nothing passes from one submission to another.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.checks import task as declarations
from autograder.diagnosis import Finding
from autograder.grader.evidence import Evidence
from autograder.grader.judging_limits import OverdueError, Stopwatch, memory_limited, reached_by
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


@dataclasses.dataclass(frozen=True)
class Doing:
    """What is being judged.

    Attributes:
        ticket: whose it is.
        task: its name.
    """

    ticket: int
    task: str


@dataclasses.dataclass(frozen=True)
class Reached:
    """Judging a task reached a limit; the judge that says so judges nothing else.

    Attributes:
        task: its name.
        reason: which limit, as a sentence.
    """

    task: str
    reason: str


class JudgingSession:
    """pytest's session, and the plug-in that steers it. Whoever asks puts jobs in and takes results out.

    Attributes:
        jobs: a ticket, names of tasks, the evidence and the memory for it; None ends the session.
        results: of a ticket each verdict, then None; a limit that was reached; or what went wrong, in words.
        collected: set once the checks are there, or cannot be.
        doing: what is being judged; None in between.
        stopwatch: the time of the thread that judges; there once the checks are collected.
        spent: whether it reached a limit, and judges nothing more.
    """

    def __init__(self) -> None:
        self.jobs: queue.Queue = queue.Queue()
        self.results: queue.Queue = queue.Queue()
        self.collected = threading.Event()
        self.doing: Doing | None = None
        self.stopwatch: Stopwatch | None = None
        self.spent = False
        self._outcome: tuple[bool, Finding | None, str] = (False, None, "")

    def serve(self) -> None:
        """Collect and judge, in the thread that calls this, until the session ends."""
        options = [option for name in UNWANTED for option in ("-p", f"no:{name}")]
        try:
            code = pytest.main([*ARGUMENTS, *options], plugins=[self])
            self.results.put((None, f"pytest ended with {code!r}"))
        except BaseException as error:
            self.results.put((None, repr(error)))
        finally:
            self.collected.set()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A check file that does not import is told, not skipped."""
        if report.failed:
            self.results.put((None, str(report.longrepr)))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running each item once: wait for evidence, run what it needs, wait again."""
        by_task: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            by_task.setdefault(check_of(item).task.name, []).append(item)
        self.stopwatch = Stopwatch()
        self.collected.set()
        with contextlib.suppress(OverdueError):
            while not self.spent and (job := self.jobs.get()) is not None:
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
                    self.results.put((ticket, verdict))
            self.results.put((ticket, None))
        except BaseException as error:
            if (reason := reached_by(error)) and self.doing is not None:
                self.spent = True
                self.results.put((ticket, Reached(self.doing.task, reason)))
            else:
                self.results.put((ticket, repr(error)))
        finally:
            self.doing = None
            del session.stash[EVIDENCE]

    def _judged(self, ticket: int, by_task: list[list[pytest.Item]]) -> Iterator[Verdict]:
        pairs = itertools.pairwise([item for items in by_task for item in items] + [None])
        for items in by_task:
            task = check_of(items[0]).task
            self.stopwatch.start()
            self.doing = Doing(ticket, task.name)
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
