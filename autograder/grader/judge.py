"""One pytest session, kept open, that judges evidence whenever some comes.

A session costs 50 ms to start and a few to run again, so it is started once, in a thread of its own. It
touches plain data only: no student code runs in it. The last test of a submission has no next item, so that
every fixture is torn down and nothing passes from one submission to another.
"""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from autograder.checks import task as declarations
from autograder.diagnosis import Finding
from autograder.grader.evidence import Evidence
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


class Judge:
    """The open session. Use `judge()`; one is enough for a process."""

    def __init__(self) -> None:
        self._jobs: queue.Queue = queue.Queue()
        self._results: queue.Queue = queue.Queue()
        self._outcome: tuple[bool, Finding | None, str] = (False, None, "")
        self._tickets = itertools.count(1)
        self._collected = threading.Event()
        threading.Thread(target=self._serve, name="judge", daemon=True).start()

    def wait(self) -> None:
        """Until the checks are collected. Whoever is interrupted meanwhile may wait again."""
        self._collected.wait()

    def verdicts(self, tasks: Iterable[str], evidence: Evidence) -> dict[str, Verdict]:
        """Run the checks of these tasks on the evidence.

        Raises:
            RuntimeError: where the session itself failed; the message is pytest's.
        """
        ticket = next(self._tickets)
        self._jobs.put((ticket, set(tasks), evidence))
        while True:
            answered, value = self._results.get()
            if answered == ticket:
                break  # others belong to jobs whose asker was interrupted while waiting
            if answered is None:
                self._results.put((None, value))  # for whoever asks next
                break
        if isinstance(value, str):
            raise RuntimeError(f"the checks cannot run: {value}")
        return value

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
        self._collected.set()
        while (job := self._jobs.get()) is not None:
            ticket, tasks, evidence = job
            session.stash[EVIDENCE] = evidence
            try:
                self._results.put((ticket, self._judged({task: by_task[task] for task in by_task if task in tasks})))
            except BaseException as error:
                self._results.put((ticket, repr(error)))
            finally:
                del session.stash[EVIDENCE]
        return True

    def _judged(self, by_task: dict[str, list[pytest.Item]]) -> dict[str, Verdict]:
        all_items = [item for items in by_task.values() for item in items]
        results = {item: self._result(item, following) for item, following in itertools.pairwise([*all_items, None])}
        return {
            name: Verdict.of(check_of(items[0]).task, [results[item] for item in items])
            for name, items in by_task.items()
        }

    def _result(self, item: pytest.Item, following: pytest.Item | None) -> Result:
        self._outcome = (False, None, "it did not run")
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return Result.of(check_of(item), *self._outcome)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> pytest.TestReport:
        """Keep the outcome; anything but a finding is a defect of the check, not the student's.

        pytest's own report would quote the check's source for each finding: a quarter of the time of judging, and
        nobody reads it.
        """
        if call.excinfo is not None:
            value = call.excinfo.value
            found = value if isinstance(value, Finding) else None
            self._outcome = (False, found, "" if found else f"{type(value).__name__}: {value}")
        elif call.when == "call":
            self._outcome = (True, None, "")
        outcome = "passed" if call.excinfo is None else "failed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)


_judge: Judge | None = None


def judge() -> Judge:
    """The process's judge, started when first asked for."""
    global _judge
    if _judge is None:
        _judge = Judge()
    _judge.wait()
    return _judge
