"""Answer a question: run its probe in a known state and say what was seen, whatever happens."""

from __future__ import annotations

import contextlib
import linecache
from collections.abc import Callable
from types import TracebackType
from typing import Any

from autograder.probes.known_state import known_state
from autograder.probes.question import Question
from autograder.wire.plain import TooLargeError, encode

PROBES: dict[str, Callable[..., Any]] = {}
LONGEST_MESSAGE = 500


class MissingNameError(Exception):
    """The notebook defines no such name."""


def probe(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a probe under its function's name. Its first argument is the student's namespace."""
    PROBES[function.__name__] = function
    return function


def answer(question: Question, namespace: dict[str, Any]) -> tuple[dict, bytes]:
    """What a probe saw in a student's namespace.

    Args:
        question: the probe and its inputs.
        namespace: the notebook's global names.

    Returns:
        A dict with `seen` (a tree as `wire.plain.encode` makes it, None where the code raised), `error`
        (None, or a dict that says which) and `printed`, and the raw bytes of the tensors in `seen`.
    """
    tree, blob, error = None, b"", None
    with known_state() as printed:
        try:
            tree, blob = encode(PROBES[question.probe](namespace, **question.inputs))
        except TooLargeError:
            error = {"kind": "too_large"}
        except MissingNameError as missing:
            error = {"kind": "missing", "name": str(missing)}
        except BaseException as raised:  # SystemExit and KeyboardInterrupt too: they cost this task only
            error = _describe(raised, namespace)
    return {"seen": tree, "error": error, "printed": printed.text}, blob


def find(namespace: dict[str, Any], target: str) -> Any:
    """The student's object of that name.

    Raises:
        MissingNameError: where the notebook defines none.
    """
    try:
        return namespace[target]
    except KeyError:
        raise MissingNameError(target) from None


def _describe(raised: BaseException, namespace: dict[str, Any]) -> dict:
    """The exception's class, its words, and the student's own line: the last frame of their code."""
    kind = type(raised)
    message = ""
    with contextlib.suppress(Exception):  # a student's exception class may raise in __str__
        message = str(raised)[:LONGEST_MESSAGE]
    described = {
        "kind": "raised",
        "type": str(type.__dict__["__name__"].__get__(kind))[:100],
        "message": message,
        "not_attempted": kind is NotImplementedError,
    }
    frame = _last_student_frame(raised.__traceback__, namespace)
    if frame is not None:
        code, line = frame
        described |= {
            "line": line,
            "function": code.co_name,
            "source": linecache.getline(code.co_filename, line).strip()[:200],
        }
    return described


def _last_student_frame(trace: TracebackType | None, namespace: dict[str, Any]) -> tuple[Any, int] | None:
    found = None
    while trace is not None:
        # An interrupt can leave a frame without a line.
        if trace.tb_frame.f_globals is namespace and trace.tb_lineno is not None:
            found = trace.tb_frame.f_code, trace.tb_lineno
        trace = trace.tb_next
    return found


from autograder.probes import calls, programs  # noqa: E402, F401  (they register themselves)
