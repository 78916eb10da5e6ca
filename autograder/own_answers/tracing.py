"""Which lines a program ran, in order, and what its names held before and after each.

`sys.settrace` is used, because `sys.monitoring` came with Python 3.12 and sees no local names. A trace that somebody
else had set, such as a debugger's, is put back.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any

from autograder.own_answers.source import OwnSource
from autograder.own_answers.statements import Statement
from autograder.own_answers.values import Fact, fact, facts
from autograder.probes.registry import PROGRAM_FILE

MOST_VISITS = 400
"""Lines run, after which nobody follows a program by head."""
OWN, PROGRAM = "own", "program"
RETURNED = "return"
"""Stands for the value that a statement returned, among what names held after it."""


@dataclasses.dataclass
class Visit:
    """One run of one statement.

    Attributes:
        where: OWN for a line of the student's cell, PROGRAM for one of the call's text.
        line: the statement's first line there.
        frame: a number for the function call that it belongs to.
        before, after: what local names held.
        raised: whether an exception left the statement.
        ends: whether the function call ended with it.
        began, ended: positions in time.
    """

    where: str
    line: int
    frame: int
    before: Mapping[str, Fact]
    after: Mapping[str, Fact] = dataclasses.field(default_factory=dict)
    raised: bool = False
    ends: bool = False
    began: int = 0
    ended: int = 0


@dataclasses.dataclass
class Trace:
    """The statements that a run passed through, in order.

    Attributes:
        visits: the statements.
        complete: whether all of them are there.
    """

    visits: list[Visit] = dataclasses.field(default_factory=list)
    complete: bool = True

    def overlaps(self, visit: Visit) -> bool:
        """Return whether its line was run again before it had ended, as in a recursion."""
        same = [one for one in self.visits if (one.where, one.line) == (visit.where, visit.line)]
        return any(one.ended > other.began for one, other in itertools.pairwise(same))

    @property
    def own(self) -> list[Visit]:
        """The visits of the student's own lines."""
        return [visit for visit in self.visits if visit.where == OWN]


class Tracer:
    """Traces a run of a student's program.

    Args:
        source: the student's cell.
        program: the statements of the call's program by line; empty if it is a single call.
        at_line: called at each new statement with the names that it sees.
    """

    def __init__(
        self, source: OwnSource, program: dict[int, Statement], at_line: Callable[[Visit, FrameType], None] | None
    ) -> None:
        self.trace = Trace()
        self._statements: dict[str, dict[int, Statement]] = {source.file: source.statements}
        if program:
            self._statements[PROGRAM_FILE] = program
        self._own = source.file
        self._open: dict[FrameType, Visit] = {}
        self._numbers: dict[FrameType, int] = {}
        self._at_line = at_line
        self._time = 0

    @contextlib.contextmanager
    def tracing(self) -> Iterator[None]:
        """Trace within the block."""
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(before)
            self._open.clear()
            self._numbers.clear()

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self._statements or not self.trace.complete:
            return None
        if code.co_name.startswith("<") and code.co_name != "<module>":  # comprehensions and lambdas
            return None
        if code.co_name == "<module>" and code.co_filename == self._own:
            return None
        self._numbers[frame] = len(self._numbers)
        return self._line

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "exception":
            if frame in self._open:
                self._open[frame].raised = True
            return self._line
        if event not in ("line", "return"):
            return self._line
        statement = self._statements[frame.f_code.co_filename].get(frame.f_lineno)
        last = self._open.get(frame)
        if event == "line":
            if statement is None or (last is not None and self._is_inside(last, statement)):
                return self._line
            if len(self.trace.visits) >= MOST_VISITS:
                self.trace.complete = False
                return None
        seen = facts(frame.f_locals)
        self._time += 1
        if last is not None:
            last.after, last.ended = seen, self._time
        if event == "return":
            if last is not None:
                last.ends = True
                if (value := fact(argument)) is not None and not last.raised and last.where == OWN:
                    last.after = {**seen, RETURNED: value}
            self._open.pop(frame, None)
            return self._line
        assert statement is not None
        where = OWN if frame.f_code.co_filename == self._own else PROGRAM
        visit = Visit(where, _first(statement), self._numbers[frame], seen, began=self._time)
        self._open[frame] = visit
        self.trace.visits.append(visit)
        if self._at_line is not None:
            self._at_line(visit, frame)
        return self._line

    def _is_inside(self, last: Visit, statement: Statement) -> bool:
        """Whether a line belongs to a statement of several lines that is still running."""
        several = (statement.end_lineno or 0) > statement.lineno and not hasattr(statement, "body")
        decorated = bool(getattr(statement, "decorator_list", []))  # its lines run before and after the definition
        return (several or decorated) and last.line == _first(statement)


def _first(statement: Statement) -> int:
    return statement.lineno
