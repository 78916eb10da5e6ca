"""Checks in a student's own kernel: the same questions and the same judging, asked in the live namespace."""

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
from autograder.judging.alarm import Alarm
from autograder.judging.evidence import Evidence
from autograder.judging.judge import judge
from autograder.probes import Question, answer, devices
from autograder.probes.errors import out_of_time
from autograder.probes.lazy_modules import load_lazy_modules
from autograder.sandbox.limits import Limits
from autograder.tasks.folders import known_exercise
from autograder.verdicts.verdict import Verdict, weighted
from autograder.wire.outcome import Outcome

SECONDS = Limits().question
"""Timeout of one question, the same as in grading."""
NOT_RUN = "run the cell that defines it first"
"""The usual reason for a missing name in an open notebook."""


@contextlib.contextmanager
def existing_objects_frozen() -> Iterator[None]:
    """Make garbage collections inside look at new objects only.

    With torch loaded, a full collection takes a fifth of a second, and answers that collect in each of their rounds
    would take half a minute.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@functools.cache
def warm_up() -> None:
    """Load the modules that answers load at first use, once, so that the first question's time does not pay for it."""
    load_lazy_modules()
    torch.ones(1, requires_grad=True).backward(torch.ones(1))


def judge_namespace(task: str, namespace: dict[str, Any], device: str | None = None) -> tuple[Verdict, str]:
    """Ask a task's questions in this namespace and judge the answers.

    Args:
        task: the task's name or label.
        namespace: the notebook's global names.
        device: where the answers are computed; the process's default device if omitted.

    Returns:
        The verdict, and what the student's code printed meanwhile.

    Raises:
        LookupError: if there is no such task.
        DeviceError: if the device is not available.
        KeyboardInterrupt: if the student interrupted the kernel.
    """
    found = find_task(task)
    device = devices.resolve(device or torch.get_default_device().type)
    evidence = Evidence(device=device)
    printed: list[str] = []

    def ask(question: Question) -> Answer:
        tree, blob = question.pack()
        alarm = Alarm(SECONDS)
        error: dict[str, Any] = {}
        try:
            with alarm:
                envelope, raw = answer(Question.unpack(tree, blob), namespace)
            error = envelope["error"] or {}
            if error.get("type") == "KeyboardInterrupt":
                raise KeyboardInterrupt
            if error.get("kind") == Outcome.MISSING:
                error["because"] = why_missing(str(error.get("name")), namespace) or NOT_RUN
        except KeyboardInterrupt:
            if not alarm.rang:
                raise
            return Answer({"error": out_of_time(error, SECONDS)})
        printed.append(envelope["printed"])
        return Answer(envelope, raw)

    warm_up()
    with existing_objects_frozen():
        evidence.ask(found, ask)
    verdicts = judge().verdicts([found.label], evidence)
    worth = known_exercise(found.exercise).points | saved_weights()
    return weighted(verdicts, worth)[found.name], "".join(printed)
