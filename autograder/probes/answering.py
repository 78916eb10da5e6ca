"""Answer a question: run its probe in a known state and report the observations or the exception."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import torch

from autograder.probes import calls, programs  # noqa: F401  (importing them registers their probes)
from autograder.probes.call_changes import CallChanges, compared
from autograder.probes.errors import describe
from autograder.probes.interaction import without_interaction
from autograder.probes.known_state import known_state
from autograder.probes.question import Question
from autograder.probes.registry import PROBES, MissingNameError
from autograder.wire.outcome import Outcome
from autograder.wire.plain import TooLargeError, encode_answer, has_nan


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
    changes, target = CallChanges(), str(question.inputs.get("target"))
    with known_state(question.device) as printed, without_interaction(namespace):
        try:
            with compared(namespace, target, changes) as names:
                seen = PROBES[question.probe](names, **question.inputs)
            tree, blob = encode_answer(seen)
            if has_nan(seen):
                began = _where_nan_began(question, namespace)
        except TooLargeError:
            error = {"kind": Outcome.TOO_LARGE}
        except MissingNameError as missing:
            error = {"kind": Outcome.MISSING, "name": str(missing)}
        except BaseException as raised:  # SystemExit and KeyboardInterrupt too: they must cost this task only
            error = describe(raised, namespace, target, str(question.inputs.get("text", "")))
            error["calls"] = changes.calls
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
