"""Public cases of a task as calls that can be shown, and run as often as needed on fresh inputs."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from autograder.checks.questions import program_of
from autograder.checks.task import Case, Task
from autograder.judging.alarm import Alarm
from autograder.own_answers.comparing import compared, plain
from autograder.own_answers.restoring import restored
from autograder.own_answers.statements import statements_of
from autograder.probes.interaction import without_interaction
from autograder.probes.known_state import known_state
from autograder.probes.programs import executed, look
from autograder.probes.question import Question
from autograder.probes.specimens import FAMILIES, as_code, tensor_as_code
from autograder.wire.plain import Specimen

SECONDS, SLOW = 1.0, 0.2
"""Time limit of one run, and what a run may take to be repeated often."""
UNSTEADY = "not the same twice"
"""Stands for what a call leaves, if that has a number of its own in each run, such as how many objects were made."""
LONGEST, WIDEST, MOST_TEXT = 24, 140, 1000
"""Lines, columns and characters of a call that a question can show."""
Around = Callable[[], contextlib.AbstractContextManager[Any]]


class NotRunError(Exception):
    """A run did not end in time."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The end of a run.

    Attributes:
        values: the expressions that it shows, with their values.
        raised: the exception's class; empty if there was none.
        left: all else that the call's names hold, as plain data.
    """

    values: Mapping[str, Any]
    raised: str = ""
    left: Any = None


@dataclasses.dataclass(frozen=True)
class Call:
    """A public case.

    Attributes:
        text: the code that a student can read and run.
        shown: expressions whose values are its result.
        target: the name that it uses.
        question: the question that holds its inputs.
        program: what is executed, for a program; it ends the text.
    """

    text: str
    shown: tuple[str, ...]
    target: str
    question: Question
    program: str = ""

    @functools.cached_property
    def statements(self) -> dict[int, ast.stmt]:
        """The innermost statement on each line of the program."""
        return statements_of(ast.parse(self.program))

    @property
    def offset(self) -> int:
        """The number of lines of the text before those of the program."""
        return self.text.count("\n") - self.program.count("\n")

    def run(self, namespace: dict[str, Any], around: Around = contextlib.nullcontext) -> Outcome:
        """Run the call on fresh inputs in the known state, and put the notebook's names back as they were.

        Args:
            namespace: the notebook's global names.
            around: makes a context manager that surrounds the student's code alone.

        Raises:
            NotRunError: if it takes too long.
            KeyboardInterrupt: if the student interrupted the kernel.
        """
        fresh = Question.unpack(*self.question.pack()).inputs
        alarm = Alarm(SECONDS)
        try:
            with restored(namespace), known_state(), without_interaction(namespace), alarm:
                try:
                    with around():
                        return self._outcome(fresh, namespace)
                except Exception as error:
                    return Outcome({}, type(error).__name__)
                except SystemExit:
                    return Outcome({}, "SystemExit")
        except KeyboardInterrupt:
            if not alarm.rang:
                raise
            raise NotRunError from None

    def _outcome(self, fresh: Mapping[str, Any], namespace: Mapping[str, Any]) -> Outcome:
        target = namespace[self.target]
        if "text" in fresh:
            names = executed(fresh["text"], {**fresh["given"], self.target: target})
            return Outcome(look(self.shown, names), left=plain(names))
        values = {self.shown[0]: target(*fresh["arguments"])}
        return Outcome(values, left=plain(fresh["arguments"]))


def calls_of(task: Task) -> list[Call]:
    """Return the task's public cases that are short enough to show, the shortest first, each text once."""
    found: dict[str, Call] = {}
    for case in (case for check in task.checks for case in check.public_cases):
        call = call_of(task, case)
        if call is not None and fits(call.text):
            found.setdefault(call.text, call)
    return sorted(found.values(), key=lambda call: (len(call.text), call.text))


def call_of(task: Task, case: Case) -> Call | None:
    """Return a case as a call; None if one of its inputs has no short code."""
    if (program := program_of(case)) is not None:
        if program.given and any(not isinstance(value, torch.Tensor) for value in program.given.values()):
            return None
        lines = [f"{name} = {written}" for name, value in program.given.items() if (written := _written(value))]
        if len(lines) < len(program.given):
            return None
        text = "\n".join([*lines, program.text.rstrip()])
        return Call(text, program.shown, task.target, case.question, program.text.rstrip())
    arguments, about = [], []
    for value in case.question.inputs.get("arguments", [...]):
        written = _written(value)
        if isinstance(value, Specimen) and value.family in FAMILIES:
            about, written = as_code(value).splitlines(), "f"
        if not written:
            return None
        arguments.append(written)
    called = f"{task.target}({', '.join(arguments)})"
    return Call("\n".join([*about, called]), (called,), task.target, case.question)


def _written(value: Any) -> str:
    """Return code for a value; empty if there is no short one."""
    if isinstance(value, torch.Tensor):
        return tensor_as_code(value) if value.numel() <= 6 else ""
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    if isinstance(value, list | tuple | dict) and len(text := repr(value)) <= WIDEST and "tensor" not in text:
        return text
    return ""


def fits(text: str) -> bool:
    """Return whether a call is short enough to be shown."""
    lines = text.splitlines()
    return len(lines) <= LONGEST and max(map(len, lines)) <= WIDEST and len(text) <= MOST_TEXT


def effect(before: Outcome, after: Outcome) -> str:
    """Return "same", "different" or "unclear", for the ends of two runs of a call."""
    if after.raised:
        return "different"
    shown = compared(before.values, after.values)
    if shown == "same" and compared(before.left, after.left) != "same":
        return "unclear"  # something else has changed, and somebody may call it a result
    return shown


def usable(calls: list[Call], namespace: dict[str, Any]) -> Iterator[tuple[Call, Outcome]]:
    """Yield the calls that end in time without an exception and give the same twice, with their outcomes."""
    for call in calls:
        try:
            began = time.monotonic()
            first = call.run(namespace)
            if first.raised or time.monotonic() - began > SLOW:
                continue
            second = call.run(namespace)
        except NotRunError:
            continue
        if not second.raised and compared(first.values, second.values) == "same":
            steady = compared(first.left, second.left) == "same"
            yield call, first if steady else dataclasses.replace(first, left=UNSTEADY)
