"""The judge's session outlives whoever is interrupted while waiting for it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

import pytest

from autograder.checks.catalogue import find_task
from autograder.checks.task import Check
from autograder.grader.live import judge_namespace
from autograder.judging.evidence import Evidence
from autograder.judging.judge import Judge, judge
from autograder.probes.known_state import known_state

RIGHT = "def partials(x, w, b):\n    g = float(x * w + b > 0)\n    return dict(x=g * w, w=g * x, b=g, u=g, v=g)\n"


INTERRUPTED = threading.Event()


class SlowEvidence(Evidence):
    """Evidence that comes when nobody waits for it any more."""

    def answers_to(self, check: Check) -> Any:
        INTERRUPTED.wait(60)
        return super().answers_to(check)


def test_a_verdict_that_nobody_waited_for_is_not_given_to_the_next() -> None:
    names: dict[str, Any] = {}
    exec(RIGHT, names)
    judge_namespace("partials", names)  # the session is there
    main = threading.main_thread().ident
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background starts without
    threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        judge().verdicts([find_task("path_sum").name], SlowEvidence())
    INTERRUPTED.set()
    verdict, _ = judge_namespace("partials", names)
    assert (verdict.task, verdict.points) == ("partials", 3)


class BusyEvidence(Evidence):
    """Evidence whose reference runs for ever, with the output of the whole process captured."""

    def answers_to(self, check: Check) -> Any:
        with known_state():
            while True:
                sum(range(1000))


def test_an_interrupt_ends_what_is_being_judged_so_that_the_process_is_as_before() -> None:
    judge()
    main, before = threading.main_thread().ident, (sys.stdout, sys.stderr)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, signal.pthread_kill, (main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        judge().verdicts(["partials"], BusyEvidence())
    assert (sys.stdout, sys.stderr) == before
    names: dict[str, Any] = {}
    exec(RIGHT, names)
    assert judge_namespace("partials", names)[0].points == 3


def test_what_the_caller_tells_pytest_is_not_told_to_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"PYTEST_ADDOPTS": "--no-such-option -v", "PYTEST_PLUGINS": "no_such_plugin"}
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    another = Judge()
    another.wait()
    assert {name: os.environ.get(name) for name in told} == told
    assert set(another.verdicts(["partials"], Evidence())) == {"partials"}
