"""Verdicts on cells with asserts of the instructor's own, which ran beside the student's code, by nbgrader's rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nbformat import NotebookNode

from autograder.executions.records import how_it_failed
from autograder.grader.custody import CUT_SHORT
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.verdicts.plain_text import ASSERTED
from autograder.verdicts.verdict import Result, Verdict
from autograder.visible_text import visible
from autograder.wire.outcome import Outcome

NOT_RUN = "NotRun"
ENDS = {
    "OutOfTime": Outcome.TIME,
    "ProcessEnded": Outcome.KILLED,
    NOT_RUN: Outcome.UNREADABLE,
    CUT_SHORT: Outcome.RAISED,
}
"""Names of the errors that stand for a cell that did not end by itself, or did not begin."""
LONGEST = 300


def asserted_verdict(cell: NotebookNode, exercise: str, changed: Sequence[str] = ()) -> Verdict:
    """Make the verdict on a cell from the outputs of its run, with the score that nbgrader gives it.

    Args:
        cell: the cell.
        exercise: the notebook's name.
        changed: what the notebook had changed beneath it.

    Raises:
        ValueError: if it gives more points than it is worth, or has a result without text; nbgrader refuses both, too.
    """
    from nbgrader.utils import determine_grade  # here, because only such cells need nbgrader

    name = cell.metadata.nbgrader["grade_id"]
    try:
        points, maximum = determine_grade(cell)
    except (ValueError, KeyError) as error:
        raise ValueError(f"{name}: {error.args[0]}") from None
    kind, seen = _how_it_ended(cell.outputs, points or 0.0, maximum)
    result = Result(ASSERTED, points or 0.0, maximum, kind, visible(seen, kept="")[:LONGEST])
    return Verdict(name.removeprefix(GRADE_ID), exercise, "", (result,), name, tuple(changed))


def _how_it_ended(outputs: Sequence[dict[str, Any]], points: float, maximum: float) -> tuple[Outcome, str]:
    """Return the kind of a cell's end, and a sentence on it unless it earned all points."""
    for output in outputs:
        if output["output_type"] == "error":
            name, said = output["ename"], output["evalue"]
            sentence = said if name in ENDS else f"It {how_it_failed(name, said)}".rstrip(": ")
            return ENDS.get(name, Outcome.RAISED), sentence
        if output["output_type"] == "stream" and output["name"] == "stderr":
            return Outcome.OBSERVED, f"It wrote to stderr, which nbgrader counts as a failure: {output['text'].strip()}"
        if output["output_type"] == "execute_result":
            break  # by it nbgrader decides
    return (Outcome.PASSED, "") if points == maximum else (Outcome.WRONG, "Its own result gave part of the points")
