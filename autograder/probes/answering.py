"""Answer a question: run its probe in a known state and report the observations or the exception."""

from __future__ import annotations

import contextlib
import linecache
import re
from types import CodeType, TracebackType
from typing import Any

import torch

from autograder.probes import calls, programs  # noqa: F401  (importing them registers their probes)
from autograder.probes.call_changes import CallChanges, compared
from autograder.probes.interaction import without_interaction
from autograder.probes.known_state import known_state
from autograder.probes.question import Question
from autograder.probes.registry import PROBES, PROGRAM_FILE, MissingNameError
from autograder.wire.outcome import Outcome
from autograder.wire.plain import TooLargeError, encode_answer, has_nan

LONGEST_MESSAGE = 500


def answer(question: Question, namespace: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Run a question's probe on a student's namespace and return what it observed.

    Args:
        question: the probe and its inputs.
        namespace: the notebook's global names.

    Returns:
        A dict and the raw bytes of the tensors in its `seen`. The dict has `seen` (a tree from
        `wire.plain.encode`; None if the code raised), `error` (None, or a dict that describes it), `printed`,
        `nan_began` (the first backward node that made nan; None if there is no nan), and `changes` (what the
        definition's calls changed of what they were handed).
    """
    tree, blob, began = None, b"", None
    error: dict[str, Any] | None = None
    changes = CallChanges()
    with known_state(question.device) as printed, without_interaction(namespace):
        try:
            with compared(namespace, str(question.inputs.get("target")), changes) as names:
                seen = PROBES[question.probe](names, **question.inputs)
            tree, blob = encode_answer(seen)
            if has_nan(seen):
                began = _where_nan_began(question, namespace)
        except TooLargeError:
            error = {"kind": Outcome.TOO_LARGE}
        except MissingNameError as missing:
            error = {"kind": Outcome.MISSING, "name": str(missing)}
        except BaseException as raised:  # SystemExit and KeyboardInterrupt too: they must cost this task only
            error = _describe(raised, namespace)
    noted = changes.noted(failed=error is not None)
    return {"seen": tree, "error": error, "printed": printed.text, "nan_began": began, "changes": noted}, blob


def _where_nan_began(question: Question, namespace: dict[str, Any]) -> str | None:
    """Run the probe again under anomaly detection and return the first backward node that makes nan."""
    with contextlib.suppress(BaseException), torch.autograd.detect_anomaly(check_nan=True):
        try:
            PROBES[question.probe](namespace, **question.inputs)
        except RuntimeError as error:
            found = re.match(r"Function '(\w+)' returned nan values", str(error))
            return found[1] if found else None
    return None


def _describe(raised: BaseException, namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the exception's class, its message and the last line of the student's code in its traceback."""
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
    """Return the last frame of the student's code and the last of the question's program."""
    own = asked = None
    while trace is not None:
        code, line = trace.tb_frame.f_code, trace.tb_lineno
        if line is not None:  # an interrupt can leave a frame without a line
            if trace.tb_frame.f_globals is namespace:
                own = code, line
            elif code.co_filename == PROGRAM_FILE:
                asked = code, line
        trace = trace.tb_next
    return own, asked
