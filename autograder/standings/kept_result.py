"""Compare rows of the gradebook with what was graded, because they may come from an older backup than the results."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from autograder.gradebook_access.graded_answers import GradedAnswers
from autograder.verdicts.verdict import cell_of

CLOSE = 1e-6
"""Points that differ by less are equal, because nbgrader parses them from text."""


def holds_scores(automatic: Mapping[str, float | None], verdicts: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether a row holds the points of these verdicts.

    Args:
        automatic: the automatic score of each graded cell in the row, by grade_id.
        verdicts: the verdicts of the checks as `Verdict.as_data` returns them.
    """
    for verdict in verdicts:
        score = automatic.get(cell_of(verdict))
        if score is None or not math.isclose(score, verdict["points"], abs_tol=CLOSE):
            return False
    return True


def holds_answers(kept: GradedAnswers, answers: GradedAnswers) -> bool:
    """Tell whether points by hand were given for the answers that were graded; True if either is unknown.

    Args:
        kept: the answers for which points were given, from the gradebook.
        answers: the answers that were graded, from the graded notebook.
    """
    return not kept or not answers or kept == answers
