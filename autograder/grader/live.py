"""The notebook's own door: the same questions and the same checks, asked of the live namespace."""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Iterator
from typing import Any

import torch

from autograder.checks.answer import Answer
from autograder.checks.catalogue import find_task
from autograder.executions import saved_weights, why_missing
from autograder.grader.alarm import Alarm
from autograder.grader.evidence import Evidence
from autograder.grader.judge import judge
from autograder.grader.verdict import Verdict
from autograder.grader.weights import weighed
from autograder.probes import Question, answer, devices
from autograder.probes.lazy_modules import load_lazy_modules
from autograder.supervisor.limits import Limits

SECONDS = Limits().question
"""How long one question may take, as where submissions are graded."""
NOT_RUN = "run the cell that defines it first"
"""Why a name is missing in a notebook that somebody works in."""


@contextlib.contextmanager
def short_collections() -> Iterator[None]:
    """A garbage collection looks only at what is new: in a kernel with torch in it, all takes a fifth of a second.

    Answers that collect in each of their rounds would otherwise keep the reader waiting for half a minute.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@functools.cache
def get_ready() -> None:
    """Load what answers load when they first use it, once and before the clock of the first question starts."""
    load_lazy_modules()
    torch.ones(1, requires_grad=True).backward(torch.ones(1))


def judge_namespace(task: str, namespace: dict[str, Any], device: str | None = None) -> tuple[Verdict, str]:
    """Ask a task's questions of these names and judge the answers.

    Args:
        task: its name.
        namespace: the notebook's global names.
        device: where; the process's default device where left out.

    Returns:
        The verdict, and what the student's code printed meanwhile.

    Raises:
        LookupError: for a task that does not exist.
        DeviceError: for a device that is not here.
        KeyboardInterrupt: where the person at the keyboard stopped it.
    """
    found = find_task(task)
    device = devices.resolve(device or torch.get_default_device().type)
    evidence, printed = Evidence(device=device), []

    def ask(question: Question) -> Answer:
        tree, blob = question.pack()
        alarm = Alarm(SECONDS)
        try:
            with alarm:
                envelope, raw = answer(Question.unpack(tree, blob), namespace)
            error = envelope["error"] or {}
            if error.get("type") == "KeyboardInterrupt":
                raise KeyboardInterrupt
            if error.get("kind") == "missing":
                error["because"] = why_missing(str(error.get("name")), namespace) or NOT_RUN
        except KeyboardInterrupt:
            if not alarm.rang:
                raise
            return Answer({"error": {"kind": "time", "seconds": SECONDS}})
        printed.append(envelope["printed"])
        return Answer(envelope, raw)

    get_ready()
    with short_collections():
        evidence.ask(found, ask)
    verdicts = judge().verdicts([task], evidence)
    return weighed(verdicts, saved_weights())[task], "".join(printed)
