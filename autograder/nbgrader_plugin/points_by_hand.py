"""Points that a person gave: kept where neither the answer nor the automatic score changed, else asked for again.

nbgrader asks for each of them again whenever it grades, and lets extra credit, and the points of a cell that only a
person grades, stand on whatever was handed in later. What each decision was made on is kept in a table of its own in
the gradebook's database, so that both come back together from a backup.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, ClassVar

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import BaseCell, Grade, Gradebook
from nbgrader.preprocessors import SaveAutoGrades
from sqlalchemy import Column, Connection, MetaData, String, Table, Text, delete, insert, inspect, or_, select, update
from sqlalchemy.schema import CreateTable

from autograder.nbgrader_plugin.ungraded_cells import is_unjudged
from autograder.notebooks.grade_cells import GRADE_ID

GRADED = Table(
    "autograder_graded_answers",
    MetaData(),
    Column("notebook_id", String(32), primary_key=True),
    Column("answers", Text, nullable=False),
)
"""For each of nbgrader's submitted notebooks, as JSON: of each graded cell a digest of its answer, and its points."""


class SaveScores(SaveAutoGrades):
    """nbgrader's step that saves automatic scores, which then decides about those given by hand."""

    asked: ClassVar[list[str]] = []
    """Cells of the notebook that was saved last whose points by hand need a look, with the reason."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Save one notebook's scores."""
        SaveScores.asked = []
        self._answers = {name: [digest, points] for name, (digest, points) in answers(nb).items()}
        self._by_hand: dict[str, tuple[float | None, bool]] | None = None
        self._last = len(nb.cells) - 1
        saved = super().preprocess(nb, resources)
        if self.asked:
            said = f"{self.student_id}: points given by hand need a look: {', '.join(self.asked)}"
            self.log.warning("%s", said)
        return saved

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Save one cell's score and decide about the one by hand."""
        if self._by_hand is None:
            self._remember()
        saved = super().preprocess_cell(cell, resources, cell_index)
        if (utils.is_grade(cell) or utils.is_task(cell)) and cell.metadata.nbgrader["grade_id"] in self._by_hand:
            self._decide(cell.metadata.nbgrader["grade_id"], is_unjudged(cell))
        if cell_index == self._last:
            keep_answers(self.gradebook, self._notebook, self._answers)
        return saved

    def _remember(self) -> None:
        """What stood there before this grading."""
        gradebook = self.gradebook
        self._notebook = gradebook.find_submission_notebook(self.notebook_id, self.assignment_id, self.student_id).id
        self._kept = _kept(gradebook, self._notebook)
        found = gradebook.db.execute(
            select(BaseCell.__table__.c.name, Grade.auto_score, Grade.needs_manual_grade)
            .join_from(Grade, BaseCell.__table__, BaseCell.__table__.c.id == Grade.cell_id)
            .where(Grade.notebook_id == self._notebook)
            .where(or_(Grade.manual_score.is_not(None), Grade.extra_credit.is_not(None)))
        )
        self._by_hand = {name: (score, waits) for name, score, waits in found}

    def _decide(self, name: str, unjudged: bool) -> None:
        """Whether points by hand still count, after nbgrader has written the automatic score.

        It writes 0 for a cell that no check has judged, which is no score.
        """
        before, waited = self._by_hand[name]
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        score = None if unjudged else grade.auto_score
        why = "" if waited else _reason(self._kept.get(name), self._answers[name], before, score)
        nothing = grade.manual_score is None and score is None
        grade.needs_manual_grade = waited or nothing or bool(why)
        if why:
            SaveScores.asked.append(f"{name.removeprefix(GRADE_ID)} ({why})")
        self.gradebook.db.commit()


def _reason(kept: list | None, now: list, score_before: float | None, score: float | None) -> str:
    """Why a decision has to be made again; empty where it stands."""
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


def answers(nb: NotebookNode) -> dict[str, tuple[str, float]]:
    """Digest what each graded cell of a notebook judges, with the points that it is worth.

    That is the answer of the same name, or all answers where none has it, and the code cells that the student added.
    """
    own = [cell for cell in nb.cells if "nbgrader" not in cell.metadata]
    solutions = {cell.metadata.nbgrader["grade_id"]: cell for cell in nb.cells if utils.is_solution(cell)}
    found = {}
    for cell in nb.cells:
        if not (utils.is_grade(cell) or utils.is_task(cell)):
            continue
        name = cell.metadata.nbgrader["grade_id"]
        if utils.is_task(cell):  # its answer may be in any cell
            judged = [*solutions.values(), *own]
        else:
            answer = solutions.get(name) or solutions.get(name.removeprefix(GRADE_ID))
            judged = [answer] if answer is not None else list(solutions.values())
            judged += [one for one in own if one.cell_type == "code"]
        text = json.dumps([one.source for one in judged])
        found[name] = hashlib.sha256(text.encode()).hexdigest()[:32], float(cell.metadata.nbgrader["points"])
    return found


def _table(gradebook: Gradebook) -> Connection:
    """The open transaction's connection, on which the table is there."""
    connection = gradebook.db.connection()
    if not inspect(connection).has_table(GRADED.name):
        connection.execute(CreateTable(GRADED, if_not_exists=True))
    return connection


def _kept(gradebook: Gradebook, notebook: str) -> dict[str, list]:
    where = GRADED.c.notebook_id == notebook
    text = _table(gradebook).execute(select(GRADED.c.answers).where(where)).scalar_one_or_none()
    return {} if text is None else json.loads(text)


def keep_answers(gradebook: Gradebook, notebook: str, kept: dict[str, list]) -> None:
    """Keep what points by hand are given for from now on, in place of what was kept."""
    connection, where = _table(gradebook), GRADED.c.notebook_id == notebook
    values = {"answers": json.dumps(kept)}
    if connection.execute(update(GRADED).where(where).values(values)).rowcount == 0:
        connection.execute(insert(GRADED).values(values | {"notebook_id": notebook}))
    gradebook.db.commit()


def forget_answers(gradebook: Gradebook, notebooks: list[str]) -> None:
    """Delete what is kept of submitted notebooks, given by nbgrader's ids."""
    _table(gradebook).execute(delete(GRADED).where(GRADED.c.notebook_id.in_(notebooks)))
    gradebook.db.commit()
