"""Describe an exception that a question ended in: its class and message, where it arose, and what was found there."""

from __future__ import annotations

import builtins
import contextlib
import difflib
from collections import Counter
from types import FrameType, TracebackType
from typing import Any

from autograder.probes.nones import what_was_none
from autograder.probes.places import Place, places
from autograder.wire.outcome import Outcome

LONGEST_MESSAGE = 500
NEAR = 0.8
"""How similar a name must be to be offered for one that is not there, as `difflib` counts."""
REPEATED = 10
"""How often a recursion must come back to the same arguments to be called endless."""


def describe(raised: BaseException, namespace: dict[str, Any], target: str = "", program: str = "") -> dict[str, Any]:
    """Return an exception's class and message, the student's last line in its traceback, and what was found there.

    Args:
        raised: the exception.
        namespace: the notebook's global names.
        target: the name of the task's definition.
        program: the text of the question's program; empty if it has none.
    """
    kind = type(raised)
    message = ""
    with contextlib.suppress(Exception):  # a student's exception class may raise in __str__
        message = str(raised)[:LONGEST_MESSAGE]
    described: dict[str, Any] = {
        "kind": Outcome.RAISED,
        "type": str(type.__dict__["__name__"].__get__(kind))[:100],
        "message": message,
        "not_attempted": kind is NotImplementedError and not message,  # torch raises it too, with a message
    }
    own, asked = places(raised.__traceback__, namespace, program)
    if own:
        described |= {"line": own[-1].line, "function": own[-1].code.co_name, "source": own[-1].source}
    if asked:
        described |= {"program_line": asked[-1].line}
    if here := [*asked[-1:], *own[-1:]]:
        with contextlib.suppress(Exception):  # whatever a student's objects do when they are looked at
            in_own_line = _innermost(raised.__traceback__) is here[-1].frame
            described["elsewhere"] = not in_own_line
            described |= _found(raised, message, here[-1], target, own, in_own_line)
    return described


def out_of_time(error: object, seconds: float) -> dict[str, Any]:
    """Return the error of a question that was interrupted after its time, with the place where it was.

    Args:
        error: what the interrupted question reported, as `describe` makes it; anything, if it reported something else.
        seconds: its time.
    """
    late: dict[str, Any] = {"kind": Outcome.TIME, "seconds": seconds}
    if isinstance(error, dict) and error.get("type") == "KeyboardInterrupt":
        late |= {key: error[key] for key in ("function", "source", "calls") if key in error}
    return late


def _innermost(trace: TracebackType | None) -> FrameType | None:
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame if trace is not None else None


def _found(
    raised: BaseException, message: str, here: Place, target: str, own: list[Place], in_own_line: bool
) -> dict[str, Any]:
    """Return what the place itself tells: what was None, a name that is near or outside, a call that repeats itself.

    Args:
        raised: the exception.
        message: its text.
        here: the last place in the student's code or the program.
        target: the name of the task's definition.
        own: all places in the student's code.
        in_own_line: whether the exception arose in that line itself and not in Python code that it called.
    """
    if isinstance(raised, RecursionError):
        return {"repeats": _repeats([one.frame for one in own])}
    if "NoneType" in message:
        found = what_was_none(here, message, target, in_own_line)
        return {"none": found.text, "none_is": found.kind, "none_of": found.of} if found is not None else {}
    if isinstance(raised, UnboundLocalError):
        local = message.partition("'")[2].partition("'")[0]
        around = [one.frame.f_locals for one in own if here.frame.f_code in one.frame.f_code.co_consts]
        return {"outer": any(local in names for names in (here.frame.f_globals, *around))}
    is_missing = isinstance(raised, NameError | AttributeError) and in_own_line
    if is_missing and isinstance(name := getattr(raised, "name", None), str):
        names = _attributes(raised.obj) if isinstance(raised, AttributeError) else _names(here.frame)
        return {"missing": name[:100], "near": _near(name, names - {name})[:100]}
    return {}


def _near(name: str, names: set[str]) -> str:
    """Return the name that is most like a missing one: in most letters, or in all of them in another order."""
    (best,) = difflib.get_close_matches(name, names, 1) or [""]
    alike = difflib.SequenceMatcher(None, name, best).ratio() >= NEAR or sorted(name) == sorted(best)
    return best if best and alike else ""


def _names(frame: FrameType) -> set[str]:
    return {*frame.f_locals, *frame.f_globals, *vars(builtins)}


def _attributes(of: Any) -> set[str]:
    return {name for name in dir(of) if isinstance(name, str)}


def _repeats(frames: list[FrameType]) -> bool:
    """Return whether calls with the very same arguments stand in each other again and again.

    One repetition proves nothing: a function may bind a parameter anew before it calls itself.
    """
    met: Counter[tuple[Any, ...]] = Counter()
    for frame in frames:
        code, values = frame.f_code, frame.f_locals
        count = code.co_argcount + code.co_kwonlyargcount
        given = [values.get(name) for name in code.co_varnames[:count]]
        met[(code, *(one if type(one) in (int, float, str, bool) else id(one) for one in given))] += 1
    return max(met.values(), default=0) >= REPEATED
