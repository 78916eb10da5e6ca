"""Answer a question: run its probe in a known state and say what was seen, whatever happens."""

from __future__ import annotations

import contextlib
import linecache
import re
from collections.abc import Callable
from types import CodeType, TracebackType
from typing import Any

import torch

from autograder.probes.interaction import without_interaction
from autograder.probes.known_state import known_state
from autograder.probes.question import Question
from autograder.wire.plain import TooLargeError, encode_answer, has_nan

PROBES: dict[str, Callable[..., Any]] = {}
LONGEST_MESSAGE = 500
PROGRAM_FILE = "<program>"
"""What a program's code calls its file."""


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
        (None, or a dict that says which), `printed`, and `nan_began` (the backward node that first made nan,
        where there is any nan), and the raw bytes of the tensors in `seen`.
    """
    tree, blob, error, began = None, b"", None, None
    with known_state(question.device) as printed, without_interaction(namespace):
        try:
            seen = PROBES[question.probe](namespace, **question.inputs)
            tree, blob = encode_answer(seen)
            if has_nan(seen):
                began = _where_nan_began(question, namespace)
        except TooLargeError:
            error = {"kind": "too_large"}
        except MissingNameError as missing:
            error = {"kind": "missing", "name": str(missing)}
        except BaseException as raised:  # SystemExit and KeyboardInterrupt too: they cost this task only
            error = _describe(raised, namespace)
    return {"seen": tree, "error": error, "printed": printed.text, "nan_began": began}, blob


def find(namespace: dict[str, Any], target: str) -> Any:
    """The student's object of that name.

    Raises:
        MissingNameError: where the notebook defines none.
    """
    try:
        return namespace[target]
    except KeyError:
        raise MissingNameError(target) from None


def _where_nan_began(question: Question, namespace: dict[str, Any]) -> str | None:
    """The backward node that first makes nan when the probe runs again under anomaly detection."""
    with contextlib.suppress(BaseException), torch.autograd.detect_anomaly(check_nan=True):
        try:
            PROBES[question.probe](namespace, **question.inputs)
        except RuntimeError as error:
            found = re.match(r"Function '(\w+)' returned nan values", str(error))
            return found[1] if found else None
    return None


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
        "not_attempted": kind is NotImplementedError and not message,  # torch raises it too, with words
    }
    own, asked = _last_frames(raised.__traceback__, namespace)
    if own is not None:
        code, line = own
        described |= {
            "line": line,
            "function": code.co_name,
            "source": linecache.getline(code.co_filename, line).strip()[:200],
        }
    if asked is not None:
        described["program_line"] = asked[1]
    return described


Frame = tuple[CodeType, int]


def _last_frames(trace: TracebackType | None, namespace: dict[str, Any]) -> tuple[Frame | None, Frame | None]:
    """The last frame of the student's code, and the last of the question's program."""
    own = asked = None
    while trace is not None:
        code, line = trace.tb_frame.f_code, trace.tb_lineno
        if line is not None:  # an interrupt can leave a frame without one
            if trace.tb_frame.f_globals is namespace:
                own = code, line
            elif code.co_filename == PROGRAM_FILE:
                asked = code, line
        trace = trace.tb_next
    return own, asked


from autograder.probes import calls, programs  # noqa: E402, F401  (they register themselves)
