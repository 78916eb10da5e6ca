"""Stale points: why the points of a submitted notebook do not belong to what is handed in now.

The file in `submitted`, the graded notebook, which says what was graded, and the row of the gradebook have to agree.
Each may have been replaced since, the row from a backup, and the exercise's points may have changed.
"""

from __future__ import annotations

from collections.abc import Collection

from nbgrader.api import Gradebook, SubmittedAssignment, SubmittedNotebook

from autograder.gradebook_access.graded_answers import KeptAnswers
from autograder.gradebook_access.known_cells import KnownCells, points_of
from autograder.grader.provenance import changed_points
from autograder.standings.cell_score import CellScore, has_points
from autograder.standings.handed_in import OTHER_EXERCISE, HandedIn
from autograder.standings.kept_result import holds_answers, holds_scores
from autograder.verdicts.graded_notebook import GradedNotebook

NOT_YET = "handed in, and not graded since"
GONE = "its graded notebook is not there"
CLOSED = "its graded notebook cannot be read here"
FAILED = "grading it failed"
OTHER_POINTS = "the exercise's points were changed since it was graded"
COURSE_CHANGED = (OTHER_EXERCISE, OTHER_POINTS)
"""How the reasons begin that end only if the class is judged again, which a person decides."""
OTHER_RESULT = "the gradebook does not hold what was graded"
TAKEN_BACK = "its notebook is not in `submitted` any more"


class Staleness:
    """Comparison of the submitted notebooks, graded notebooks and gradebook rows of one assignment."""

    def __init__(self, gradebook: Gradebook, handed_in: HandedIn, notebooks: Collection[str]) -> None:
        """
        Args:
            gradebook: nbgrader's open gradebook.
            handed_in: the files in `submitted`.
            notebooks: the names of the assignment's notebooks.
        """
        self._kept, self._handed_in, self._notebooks = KeptAnswers(gradebook), handed_in, notebooks

    def reason(
        self,
        row: SubmittedAssignment,
        notebook: SubmittedNotebook,
        graded: GradedNotebook,
        known: KnownCells,
        cells: Collection[CellScore],
    ) -> str:
        """Say why the points of a notebook are not current; empty if they are.

        Args:
            row, notebook: nbgrader's rows.
            graded: the graded notebook.
            known: the cells of the exercise's notebook.
            cells: the scores in the row.
        """
        student = row.student.id
        if not self._handed_in.has(student, notebook.name):
            gone = TAKEN_BACK if graded.exists or any(cell.automatic for cell in cells) else ""
            return self._handed_in.misnamed(student, self._notebooks) or gone
        if graded.unavailable:
            return f"{CLOSED} ({graded.unavailable})"
        if not graded.exists:
            return self.not_graded(student, graded_once=has_points(cells))
        if outdated := self._handed_in.outdated(row, notebook.name, graded, known):
            return outdated
        if not self._holds(notebook, graded, cells):
            return OTHER_RESULT
        if graded.is_worth(known):
            return ""
        return f"{OTHER_POINTS} ({', '.join(changed_points(graded.worth, points_of(known)))})"

    def not_graded(self, student: str, *, graded_once: bool = False) -> str:
        """Say why a submission has no graded notebook.

        Args:
            student: the student's id.
            graded_once: whether the gradebook has points for it.
        """
        if misnamed := self._handed_in.misnamed(student, self._notebooks):
            return misnamed
        if failed := self._handed_in.failure(student):
            return f"{FAILED} ({failed})"
        return GONE if graded_once else NOT_YET

    def _holds(self, notebook: SubmittedNotebook, graded: GradedNotebook, cells: Collection[CellScore]) -> bool:
        if not holds_scores({cell.cell: cell.automatic for cell in cells}, graded.verdicts.values()):
            return False
        if not any(cell.by_hand is not None or cell.extra for cell in cells):
            return True
        return holds_answers(self._kept.of(notebook.id), graded.answers)
