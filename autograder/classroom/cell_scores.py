"""What a graded notebook says of its cells: all of a submission's gradebook rows but the points that people give.

The rules are nbgrader's, with those of `points_by_hand` and `ungraded_cells`; a test compares the rows.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from nbformat import NotebookNode
from nbgrader import utils

from autograder.gradebook_access.graded_answers import GradedAnswers, answers
from autograder.nbgrader_plugin.ungraded_cells import is_broken, is_unjudged
from autograder.notebooks.notes import KEY

NO_RESPONSE = "No response."


@dataclasses.dataclass(frozen=True)
class CellScores:
    """Scores and comments of one notebook, each by grade_id.

    Attributes:
        automatic: automatic scores, None where only a person can grade.
        waits: cells that wait for a person whatever their score, because no check has judged them.
        comments: automatic comments on answers; None for no comment.
        answers: digests of the answers and the cells' points.
    """

    automatic: dict[str, float | None]
    waits: list[str]
    comments: dict[str, str | None]
    answers: GradedAnswers

    @staticmethod
    def of(notebook: NotebookNode) -> CellScores:
        """Read the scores of a graded notebook, before its cells are shortened or, if it keeps `answers`, after."""
        automatic, comments, waits = dict[str, float | None](), dict[str, str | None](), list[str]()
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if utils.is_grade(cell):
                unjudged = is_unjudged(cell)
                score, _ = utils.determine_grade(cell)
                automatic[name] = None if unjudged or score is None else float(score)
                if unjudged or is_broken(cell):
                    waits.append(name)
            if utils.is_solution(cell) or utils.is_task(cell):
                untouched = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
                comments[name] = NO_RESPONSE if untouched and not utils.is_task(cell) else None
        kept: Any = notebook.metadata.get(KEY, {}).get("answers")
        if kept is None:
            kept = {name: [digest, points] for name, (digest, points) in answers(notebook).items()}
        return CellScores(automatic, waits, comments, kept)

    @staticmethod
    def checked(data: Any) -> CellScores:
        """Return the scores that a worker sent.

        Raises:
            ValueError: if they are none.
        """
        try:
            scores = CellScores(**data)
            numbers = [score for score in scores.automatic.values() if score is not None]
            numbers += [points for _, points in scores.answers.values()]
            texts = [text for text in scores.comments.values() if text is not None]
            right = all(type(one) in (int, float) and math.isfinite(one) for one in numbers)
            if right and all(isinstance(text, str) for text in [*texts, *scores.waits]):
                return scores
        except (TypeError, ValueError, AttributeError):
            pass
        raise ValueError("a worker sent no scores")
