"""A student's program with the calls that questions about it are made from; each run is made once."""

from __future__ import annotations

import dataclasses
import functools
import random
import time
from typing import Any

from autograder.checks.task import Task
from autograder.own_answers.backward_nodes import NodeLog, Pass
from autograder.own_answers.calls import Call, NotRunError, Outcome, calls_of, usable
from autograder.own_answers.cuts import Cut, NotSwappedError, cut_in_place, cuts_of
from autograder.own_answers.source import OwnSource, own_source
from autograder.own_answers.tracing import Trace, Tracer
from autograder.probes.lazy_modules import load_lazy_modules

MOST_CALLS, MOST_TRACED = 8, 5
BUDGET = 6.0
"""Seconds after which no further run is made."""


@dataclasses.dataclass
class OwnProgram:
    """A student's answer to a task, its source, and public calls that end without an exception.

    Attributes:
        task: the task.
        namespace: the notebook's global names.
        source: the student's cell.
    """

    task: Task
    namespace: dict[str, Any]
    source: OwnSource

    @staticmethod
    def of(task: Task, namespace: dict[str, Any]) -> OwnProgram:
        """Find the program in a notebook's names.

        Raises:
            NoSourceError: if it is not there, or its source is not known.
        """
        source = own_source(task.defines, task.target, namespace)
        load_lazy_modules()  # the time for runs is not for imports
        return OwnProgram(task, namespace, source)

    def __post_init__(self) -> None:
        self._until = time.monotonic() + BUDGET

    @property
    def is_late(self) -> bool:
        """Whether the time for runs is over."""
        return time.monotonic() > self._until

    def random(self, kind: str) -> random.Random:
        """Return a source of choices that is the same for the same program."""
        return random.Random(f"{self.task.name} {kind} {self.source.text}")

    @functools.cached_property
    def calls(self) -> list[tuple[Call, Outcome]]:
        """Calls that give the same twice, with their outcomes."""
        found = []
        for pair in usable(calls_of(self.task), self.namespace):
            found.append(pair)
            if len(found) == MOST_CALLS or self.is_late:
                break
        return found

    @functools.cached_property
    def traces(self) -> list[tuple[Call, Trace]]:
        """Complete traces of the shortest calls in which a line of the student's runs."""
        found = []
        for call, _ in self.calls[:MOST_TRACED]:
            tracer = self._tracer(call, None)
            try:
                if not self.is_late and not call.run(self.namespace, tracer.tracing).raised and tracer.trace.complete:
                    found.append((call, tracer.trace))
            except NotRunError:
                continue
        return [(call, trace) for call, trace in found if trace.own]

    @functools.cached_property
    def passes(self) -> list[tuple[Call, Pass]]:
        """Backward passes of the traced calls, each with the statement that began it."""
        found = []
        for call, _ in self.traces:
            log = NodeLog()
            tracer = self._tracer(call, log)
            try:
                with log.noting():
                    if self.is_late or call.run(self.namespace, tracer.tracing).raised:
                        continue
            except NotRunError:
                continue
            found += [(call, one) for one in log.passes]
        return found

    def without(self, cut: Cut, call: Call) -> Outcome | None:
        """Run a call of the program from which something was taken out; None if that cannot be told in time."""
        if self.is_late:
            return None
        try:
            with cut_in_place(self.source, cut):
                return call.run(self.namespace)
        except (NotSwappedError, NotRunError):
            return None

    @functools.cached_property
    def cuts(self) -> list[Cut]:
        """What can be taken out of the program."""
        return cuts_of(self.source)

    def _tracer(self, call: Call, log: NodeLog | None) -> Tracer:
        return Tracer(self.source, call.statements, None if log is None else log.at_line)
