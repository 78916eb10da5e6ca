"""Records of what a kernel ran, in order, and of which execution bound each function and class of the notebook."""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
import time
from collections.abc import Mapping
from types import FunctionType
from typing import Any

DEFINITIONS = (FunctionType, type, functools.partial, type(functools.lru_cache(print)))
"""Types that a check judges; no other value is kept, because a large tensor must not outlive its name."""


@dataclasses.dataclass(frozen=True)
class Failure:
    """The reason why an execution did not reach the end of its cell.

    Attributes:
        kind: the name of the exception's class: "SyntaxError".
        line: the line of the cell, or None if unknown.
        ran: whether the cell began to run.
    """

    kind: str
    line: int | None
    ran: bool

    @property
    def said(self) -> str:
        """The failure in words: "did not run (SyntaxError, line 1)"."""
        where = "" if self.line is None else f", line {self.line}"
        return f"{'stopped' if self.ran else 'did not run'} ({self.kind}{where})"

    @staticmethod
    def of(error: BaseException, ran: bool, namespace: Mapping[str, Any] | None = None) -> Failure:
        """Describe an exception that ended a cell with these global names."""
        # If the cell ran, a SyntaxError's line is that of a module or text which the cell loaded.
        line = error.lineno if isinstance(error, SyntaxError) and not ran else None
        trace = error.__traceback__ if ran else None
        while line is None and trace is not None:
            line = trace.tb_lineno if trace.tb_frame.f_globals is namespace else None
            trace = trace.tb_next
        return Failure(type(error).__name__, line, ran)


def how_it_failed(kind: str, message: str) -> str:
    """Describe an error from a cell's output, without the file that a SyntaxError names and the student does not have.

    Args:
        kind: the name of the exception's class.
        message: the exception's message.
    """
    if kind not in ("SyntaxError", "IndentationError", "TabError"):
        return f"stopped with {kind}: {message}"[:220]
    line = re.search(r", line (\d{1,6})\)$", message)
    return Failure(kind, int(line[1]) if line else None, ran=False).said


@dataclasses.dataclass(frozen=True, eq=False)
class Execution:
    """One execution of a cell.

    Attributes:
        number: its count, as the prompt shows it; None if unknown.
        cell: the front end's id of the cell; None if it sends none.
        source: the cell's text when it ran; None if unknown.
        ended: when it ended, in seconds since the epoch.
        failure: why it did not reach the cell's end, or None.
    """

    number: int | None
    cell: str | None = None
    source: str | None = None
    ended: float = 0.0
    failure: Failure | None = None


EARLIER = Execution(None)
"""Stands for everything that ran before the record began."""


def defines(source: str | None, name: str) -> bool:
    """Return whether a cell's text, which may not be valid Python, defines `name` at its top level."""
    if source is None or name not in source:
        return False
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):  # a version that does not run, or one with IPython's own commands
        known = re.escape(name)
        pattern = rf"^(?:(?:async[ \t]+)?def|class)[ \t]+{known}\b|^{known}[ \t]*(?::[^=\n]*)?=(?!=)"
        return re.search(pattern, source, re.MULTILINE) is not None
    return any(name in _bound_by(statement) for statement in body)


def _bound_by(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name for alias in statement.names}
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        return {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return set()


def _is_as_before(before: Mapping[str, tuple[Any, Any]], name: str, value: Any, source: str | None) -> bool:
    """Tell whether a name has its value from an earlier execution, and not from the cell's text, which has run."""
    return name in before and before[name][0] is value and not defines(source, name)


class Record:
    """The executions of one kernel.

    Args:
        namespace: the notebook's global names; what they refer to now was defined before the record began.
    """

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self._namespace = namespace
        self._executions: list[Execution] = []
        self._bound: dict[str, tuple[Any, Execution]] = {}
        self._last_seen: dict[str, Execution] = {}
        self._note(EARLIER)

    def add(self, execution: Execution) -> None:
        """Record an execution that has just ended."""
        self._executions.append(execution)
        self._note(execution)

    def _note(self, execution: Execution) -> None:
        before, source = self._bound, execution.source if execution.failure is None else None
        self._bound = {
            name: before[name] if _is_as_before(before, name, value, source) else (value, execution)
            for name, value in list(self._namespace.items())
            if issubclass(type(value), DEFINITIONS)  # `isinstance` asks the object, which may be a dead weak reference
        }
        self._last_seen |= dict.fromkeys(self._bound, execution)

    def definer(self, name: str, running: Execution) -> Execution | None:
        """Return the execution that bound the function or class `name`; None if `name` is neither.

        Args:
            name: a global name of the notebook.
            running: the current execution, which has bound what no earlier one has.
        """
        value = self._namespace.get(name)
        if not issubclass(type(value), DEFINITIONS):
            return None
        known, execution = self._bound.get(name, (None, running))
        return execution if known is value else running

    def newer_version(self, name: str, definer: Execution | None) -> Execution | None:
        """Return the last failed attempt to redefine `name`; None if there was none since it was defined.

        Args:
            name: a global name of the notebook.
            definer: the execution that defined it; None if it is not defined now.
        """
        oldest = self._last_seen.get(name) if definer is None else definer
        for execution in reversed(self._executions):
            if execution is oldest:
                return None
            same = definer is not None and execution.cell is not None and execution.cell == definer.cell
            if same or (execution.failure is not None and defines(execution.source, name)):
                return execution
        return None


def execution_of(result: Any, namespace: Mapping[str, Any]) -> Execution | None:
    """Make an execution from what IPython's `post_run_cell` reports; None if it has no count, as those of widgets.

    Args:
        result: IPython's `ExecutionResult`.
        namespace: the notebook's global names.
    """
    if result is None or result.execution_count is None or result.info is None:
        return None
    failure = None
    if result.error_before_exec is not None:
        failure = Failure.of(result.error_before_exec, ran=False)
    elif result.error_in_exec is not None:
        error, source = result.error_in_exec, result.info.raw_cell or ""
        if isinstance(error, SyntaxError) and source.startswith("%%"):  # a cell magic compiles its cell itself
            failure = Failure(type(error).__name__, None, ran=False)
        else:
            failure = Failure.of(error, ran=True, namespace=namespace)
    cell = getattr(result.info, "cell_id", None)
    return Execution(result.execution_count, cell, result.info.raw_cell, time.time(), failure)
