"""What a check says first: which execution it judges, and what the student has written since."""

from __future__ import annotations

import dataclasses
import functools
import os
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

from autograder.executions.records import Execution, Record, execution_of
from autograder.executions.saved import has_changed

_records: dict[int, tuple[Any, Record]] = {}
"""For each shell, by its id, the shell and its record; there is one in a process."""


@dataclasses.dataclass(frozen=True)
class Provenance:
    """Where the code comes from that a check judges.

    Attributes:
        number: of the execution that defined it, as its prompt shows it; None where it is not known.
        newer: a sentence about a version that is not the one that is judged; empty where there is none.
    """

    number: int | None = None
    newer: str = ""


def start() -> None:
    """Record from now on what this process's notebook runs; nothing outside IPython, or where it is recorded."""
    shell = _shell()
    if shell is None or id(shell) in _records:
        return
    record = Record(shell.user_ns)
    _records[id(shell)] = shell, record

    def ended(result: Any) -> None:
        if (execution := execution_of(result, shell.user_ns)) is not None:
            record.add(execution)

    shell.events.register("post_run_cell", ended)


def provenance(name: str, namespace: Mapping[str, Any]) -> Provenance:
    """Where the code of a task comes from; empty outside a notebook that is recorded.

    Args:
        name: the task's.
        namespace: the notebook's global names.
    """
    shell, record = _records.get(id(_shell()), (None, None))
    if record is None or namespace is not shell.user_ns or not isinstance(name, str):
        return Provenance()
    running = Execution(None)
    own = None
    for place, one in enumerate(_used_names(name, namespace)):
        definer = record.definer(one, running)
        number = _running_number(shell) if definer is running else _number(definer, namespace.get(one), shell)
        if place == 0:
            own = number
        if definer is None or definer is running:
            continue
        newer = record.newer_version(one, definer)
        if sentence := _about_newer(one, newer, definer, number, helper=place > 0):
            return Provenance(own, sentence)
    return Provenance(own)


def why_missing(name: str, namespace: Mapping[str, Any]) -> str | None:
    """Why the notebook does not define a name although a cell tried to: its failure; None where no cell did."""
    shell, record = _records.get(id(_shell()), (None, None))
    if record is None or namespace is not shell.user_ns or name in namespace:
        return None
    tried = record.newer_version(name, None)
    return None if tried is None or tried.failure is None else f"its cell {tried.failure.said}"


def _about_newer(name: str, newer: Execution | None, definer: Execution, number: int | None, *, helper: bool) -> str:
    """The sentence about a version of `name`, the task's or a helper's, that is not the one that is judged."""
    cell = f"the cell of `{name}`" if helper else "this cell"
    before = "the one before it" + ("" if number is None else f", as run in [{number}],")
    if newer is not None and newer.failure is not None:
        return f"Your last version of {cell} {newer.failure.said}; {before} is judged."
    if newer is not None:
        return f"Your last version of {cell}, run in [{newer.number}], no longer defines `{name}`; {before} is judged."
    if has_changed(name, definer):
        ran = "" if number is None else f", in [{number}],"
        return f"{cell[0].upper()}{cell[1:]} has changed since it was run; the version that was run{ran} is judged."
    return ""


def _number(definer: Execution | None, value: Any, shell: Any) -> int | None:
    """The count of the execution; of one that has no record, yet or at all, as IPython's tracebacks know it."""
    if definer is None or definer.number is not None:
        return None if definer is None else definer.number
    known = getattr(shell.compile, "_filename_map", {})
    return next((known[code.co_filename] for code in _codes(value) if code.co_filename in known), None)


def _running_number(shell: Any) -> int | None:
    """The count of the cell that is running: it called the check, and IPython knows its code's file."""
    known, frame, found = getattr(shell.compile, "_filename_map", {}), sys._getframe(), None
    while frame is not None:
        found, frame = known.get(frame.f_code.co_filename, found), frame.f_back
    return found


def _used_names(name: str, namespace: Mapping[str, Any]) -> Iterator[str]:
    """A task's name, and after it the notebook's functions and classes that its code uses, directly or not."""
    seen, waiting = {name}, [name]
    while waiting:
        yield (one := waiting.pop(0))
        for code in _codes(namespace.get(one)):
            fresh = [used for used in code.co_names if used not in seen and _is_own(namespace.get(used), namespace)]
            seen.update(fresh)
            waiting.extend(fresh)


def _is_own(value: Any, namespace: Mapping[str, Any]) -> bool:
    """Whether a function or class was defined in the notebook, and not imported."""
    if isinstance(value, type):
        return value.__module__ == namespace.get("__name__")
    return isinstance(value, FunctionType) and value.__globals__ is namespace


def _codes(value: Any) -> Iterator[CodeType]:
    """The code of a function, or of a class's methods, with that of the functions inside."""
    value = value.func if isinstance(value, functools.partial) else getattr(value, "__wrapped__", value)
    own = list(vars(value).values()) if isinstance(value, type) else [value]
    functions = (getattr(one, "__func__", one) for one in own)
    waiting = [one.__code__ for one in functions if isinstance(one, FunctionType)]
    while waiting:
        yield (code := waiting.pop())
        waiting.extend(constant for constant in code.co_consts if isinstance(constant, CodeType))


def _shell() -> Any:
    if os.environ.get("AUTOGRADER_SANDBOX") or os.environ.get("NBGRADER_EXECUTION"):  # run from clean: nothing is stale
        return None
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None
