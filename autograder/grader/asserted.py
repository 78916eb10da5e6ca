"""Verdicts on cells with asserts of the instructor's own, which ran beside the student's code, by nbgrader's rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from nbformat import NotebookNode

from autograder.executions.records import how_it_failed
from autograder.grader.sandbox_outputs import CUT_SHORT, NOT_RUN
from autograder.verdicts.plain_text import ASSERTED
from autograder.verdicts.verdict import Result, Verdict
from autograder.visible_text import visible
from autograder.wire.outcome import Outcome

ENDS = {
    "OutOfTime": Outcome.TIME,
    "ProcessEnded": Outcome.KILLED,
    NOT_RUN: Outcome.UNREADABLE,
    CUT_SHORT: Outcome.RAISED,
}
"""Names of the errors that stand for a cell that did not end by itself, or did not begin."""
ODD = re.compile(r"-.*\d.*|nan|-?inf")
"""Results that are numbers and no points, for which nbgrader gives all of them."""
LONGEST = 300


class NoPointsError(ValueError):
    """A cell with asserts ended with a result that is no points; the message names the cell."""


def errors_first(outputs: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Order outputs so that nbgrader, which goes by the first that decides, gives no points after an exception.

    The code under test can show a result of its own, before an assert fails.
    """
    return sorted(outputs, key=lambda one: one["output_type"] != "error")


def how_a_cell_stopped(index: int, outputs: Iterable[dict[str, Any]]) -> str:
    """Say how a cell before the asserts stopped, which explains a name that they do not find; empty if it ended."""
    for output in outputs:
        if output["output_type"] == "error":
            how = how_it_failed(output["ename"], output["evalue"]).rstrip(": ")
            return f"cell {index + 1} {how}"
    return ""


def asserted_verdict(cell: NotebookNode, exercise: str, changed: Sequence[str] = (), stopped: str = "") -> Verdict:
    """Make the verdict on a cell from the outputs of its run, with the score that nbgrader gives it.

    Args:
        cell: the cell.
        exercise: the notebook's name.
        changed: what the notebook had changed beneath it.
        stopped: how the first of the student's cells stopped that did.

    Raises:
        NoPointsError: if it gives more points than it is worth, or a result without text, which nbgrader refuses too.
    """
    from nbgrader.utils import determine_grade  # here, because only such cells need nbgrader

    name = cell.metadata.nbgrader["grade_id"]
    try:
        points, maximum = determine_grade(cell)
    except (ValueError, KeyError) as error:
        raise NoPointsError(f"{name}: {error.args[0]}") from None
    kind, seen = _how_it_ended(cell.outputs, points or 0.0, maximum)
    if stopped and "NameError" in seen:
        seen = f"{seen}, and {stopped}"
    result = Result(ASSERTED, points or 0.0, maximum, kind, visible(seen, kept="")[:LONGEST])
    return Verdict(name, exercise, "", (result,), name, tuple(changed))


def _how_it_ended(outputs: Sequence[dict[str, Any]], points: float, maximum: float) -> tuple[Outcome, str]:
    """Return the kind of a cell's end, and a sentence on it unless it earned all points."""
    errors = [output for output in outputs if output["output_type"] == "error"]
    for output in sorted(errors, key=lambda one: one["ename"] not in ENDS)[:1] or outputs:
        if output["output_type"] == "error":
            name, said = output["ename"], output["evalue"]
            sentence = said if name in ENDS else f"It {how_it_failed(name, said)}".rstrip(": ")
            return ENDS.get(name, Outcome.RAISED), sentence
        if output["output_type"] == "stream" and output["name"] == "stderr":
            return Outcome.OBSERVED, f"It wrote to stderr, which nbgrader counts as a failure: {output['text'].strip()}"
        if output["output_type"] == "execute_result":  # by it nbgrader decides
            result = str(output["data"].get("text/plain", ""))
            if ODD.fullmatch(result.strip()):
                return Outcome.PASSED, f"Its own result was {result.strip()}, which nbgrader counts as all points"
            break
    return (Outcome.PASSED, "") if points == maximum else (Outcome.WRONG, "Its own result gave part of the points")
