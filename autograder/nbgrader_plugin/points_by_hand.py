"""Points given by hand, which wait for a person again only if the answer or the automatic score has changed.

nbgrader asks for them again at every grading, but keeps extra credit, and the points of cells that only a person
grades, whatever is handed in later. The answers for which points were given are kept by `graded_answers`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import BaseCell, Grade
from nbgrader.preprocessors import SaveAutoGrades
from sqlalchemy import or_, select

from autograder.gradebook_access.graded_answers import KeptAnswers, answers, keep_answers
from autograder.nbgrader_plugin.ungraded_cells import is_unjudged
from autograder.notebooks.grade_cells import GRADE_ID


class SaveScores(SaveAutoGrades):
    """nbgrader's step that saves automatic scores, which then decides whether points by hand still count."""

    asked: ClassVar[list[str]] = []
    """The cells of the last saved notebook whose points by hand a person should confirm, each with the reason."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Save the scores of one notebook."""
        SaveScores.asked = []
        about = nb.metadata.setdefault("autograder", {})
        if "answers" not in about:  # they are there if a row is restored; later steps may shorten cells
            about["answers"] = {name: [digest, points] for name, (digest, points) in answers(nb).items()}
        self._answers = about["answers"]
        self._by_hand: dict[str, tuple[float | None, bool]] = {}
        self._remembered = False
        self._last = len(nb.cells) - 1
        saved: tuple[NotebookNode, dict[str, Any]] = super().preprocess(nb, resources)
        if self.asked:
            said = f"{self.student_id}: points given by hand need a look: {', '.join(self.asked)}"
            self.log.warning("%s", said)
        return saved

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Save the score of one cell, and decide whether its points by hand still count."""
        if not self._remembered:
            self._remember()
        saved: tuple[NotebookNode, dict[str, Any]] = super().preprocess_cell(cell, resources, cell_index)
        if (utils.is_grade(cell) or utils.is_task(cell)) and cell.metadata.nbgrader["grade_id"] in self._by_hand:
            self._decide(cell.metadata.nbgrader["grade_id"], is_unjudged(cell))
        elif utils.is_task(cell):
            self._reopen(cell.metadata.nbgrader["grade_id"])
        if cell_index == self._last:
            keep_answers(self.gradebook, {self._notebook: self._answers})
            self.gradebook.db.commit()
        return saved

    def _remember(self) -> None:
        """Read what the gradebook held before this grading."""
        gradebook = self.gradebook
        self._notebook = gradebook.find_submission_notebook(self.notebook_id, self.assignment_id, self.student_id).id
        self._kept = KeptAnswers(gradebook).of(self._notebook)
        found = gradebook.db.execute(
            select(BaseCell.__table__.c.name, Grade.auto_score, Grade.needs_manual_grade)
            .join_from(Grade, BaseCell.__table__, BaseCell.__table__.c.id == Grade.cell_id)
            .where(Grade.notebook_id == self._notebook)
            .where(or_(Grade.manual_score.is_not(None), Grade.extra_credit.is_not(None)))
        )
        self._by_hand = {name: (score, waits) for name, score, waits in found}

    def _reopen(self, name: str) -> None:
        """Let a task wait for a person, to which nbgrader gave 0 while its notebook was missing."""
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        if grade.auto_score is not None:
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()

    def _decide(self, name: str, unjudged: bool) -> None:
        """Decide whether a cell's points by hand still count, after nbgrader has written its automatic score.

        For a cell that no check has judged, nbgrader writes 0, which is ignored.
        """
        before, waited = self._by_hand[name]
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        score = None if unjudged else grade.auto_score
        why = "" if waited else why_look_again(self._kept.get(name), self._answers[name], before, score)
        nothing = grade.manual_score is None and score is None
        grade.needs_manual_grade = waited or nothing or bool(why)
        if why:
            SaveScores.asked.append(f"{name.removeprefix(GRADE_ID)} ({why})")
        self.gradebook.db.commit()


def why_look_again(kept: list[Any] | None, now: list[Any], score_before: float | None, score: float | None) -> str:
    """Say why a person has to confirm points by hand; empty if they still count.

    Args:
        kept: the digest of the answer that they were given for, and what the cell was worth; None if not known.
        now: the same of the present answer.
        score_before, score: the automatic scores.
    """
    if kept is None:
        return "it is not known which answer they were given for"
    if kept[0] != now[0]:
        return "the answer changed"
    if kept[1] != now[1]:
        return f"worth {now[1]:g} points now, and {kept[1]:g} then"
    if score_before != score:
        return f"the automatic score was {_shown(score_before)} and is {_shown(score)}"
    return ""


def _shown(score: float | None) -> str:
    return "none" if score is None else f"{score:g}"
