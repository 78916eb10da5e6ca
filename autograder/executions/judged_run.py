"""The provenance of the code that a check judges: which execution defined it, and what was written since."""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, FrameType, FunctionType
from typing import Any

from autograder.executions.records import Execution, Record, execution_of
from autograder.executions.saved import has_changed
from autograder.surroundings import is_graded

_records: dict[int, tuple[Any, Record]] = {}
"""By the shell's id, the shell and its record; a process has one shell."""


@dataclasses.dataclass(frozen=True)
class Provenance:
    """The origin of the code that a check judges.

    Attributes:
        number: the count of the execution that defined it, as its prompt shows it; None if unknown.
        newer: a sentence about a newer version that is not judged; empty if there is none.
    """

    number: int | None = None
    newer: str = ""


def start() -> None:
    """Record from now on what this process's notebook runs; do nothing outside IPython or when called again."""
    shell = _shell()
    if shell is None or id(shell) in _records:
        return
    record = Record(shell.user_ns)
    _records[id(shell)] = shell, record

    def ended(result: Any) -> None:
        if (execution := execution_of(result, shell.user_ns)) is not None:
            record.add(execution)

    shell.events.register("post_run_cell", ended)


def provenance(names: Sequence[str], namespace: Mapping[str, Any]) -> Provenance:
    """Return where the code of a task comes from; an empty provenance outside a recorded notebook.

    Args:
        names: what the task's cell defines.
        namespace: the notebook's global names.
    """
    shell = _shell()
    _, record = _records.get(id(shell), (None, None))
    if record is None or namespace is not shell.user_ns:
        return Provenance()
    running = Execution(None)
    own = None
    for place, one in enumerate(_used_names(names, namespace)):
        definer = record.definer(one, running)
        number = _running_number(shell) if definer is running else _number(definer, namespace.get(one), shell)
        if place == 0:
            own = number
        if definer is None or definer is running:
            continue
        newer = record.newer_version(one, definer)
        if sentence := _about_newer(one, newer, definer, number, helper=place >= len(names)):
            return Provenance(own, sentence)
    return Provenance(own)


def why_missing(name: str, namespace: Mapping[str, Any]) -> str | None:
    """Return how the cell failed that should have defined a missing name; None if no cell tried to."""
    shell = _shell()
    _, record = _records.get(id(shell), (None, None))
    if record is None or namespace is not shell.user_ns or name in namespace:
        return None
    tried = record.newer_version(name, None)
    return None if tried is None or tried.failure is None else f"its cell {tried.failure.said}"


def _about_newer(name: str, newer: Execution | None, definer: Execution, number: int | None, *, helper: bool) -> str:
    """Return the sentence about a newer version of `name`, the task's or a helper's, that is not judged."""
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
    """Return the count of an execution; if it was not recorded, the one that IPython keeps for tracebacks."""
    if definer is None or definer.number is not None:
        return None if definer is None else definer.number
    known = getattr(shell.compile, "_filename_map", {})
    return next((known[code.co_filename] for code in _codes(value) if code.co_filename in known), None)


def _running_number(shell: Any) -> int | None:
    """Return the count of the running cell, which called the check, from IPython's map of code files."""
    known: dict[str, int] = getattr(shell.compile, "_filename_map", {})
    frame: FrameType | None = sys._getframe()
    found: int | None = None
    while frame is not None:
        found, frame = known.get(frame.f_code.co_filename, found), frame.f_back
    return found


def _used_names(names: Sequence[str], namespace: Mapping[str, Any]) -> Iterator[str]:
    """Yield these names, then the notebook's functions and classes that their code uses, directly or indirectly."""
    seen, waiting = {*names}, [*names]
    while waiting:
        yield (one := waiting.pop(0))
        for code in _codes(namespace.get(one)):
            fresh = [used for used in code.co_names if used not in seen and _is_own(namespace.get(used), namespace)]
            seen.update(fresh)
            waiting.extend(fresh)


def _is_own(value: Any, namespace: Mapping[str, Any]) -> bool:
    """Return whether a function or class was defined in the notebook, not imported."""
    if isinstance(value, type):
        return value.__module__ == namespace.get("__name__")
    return isinstance(value, FunctionType) and value.__globals__ is namespace


def _codes(value: Any) -> Iterator[CodeType]:
    """Yield the code objects of a function, or of a class's methods, and of the functions inside."""
    value = value.func if isinstance(value, functools.partial) else getattr(value, "__wrapped__", value)
    own = list(vars(value).values()) if isinstance(value, type) else [value]
    functions = (getattr(one, "__func__", one) for one in own)
    waiting = [one.__code__ for one in functions if isinstance(one, FunctionType)]
    while waiting:
        yield (code := waiting.pop())
        waiting.extend(constant for constant in code.co_consts if isinstance(constant, CodeType))


def _shell() -> Any:
    if is_graded():  # a clean run has no stale names
        return None
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None
