"""The points of one graded cell of one student, and who gave them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from nbgrader.api import Grade, SubmittedNotebook

from autograder.gradebook_access.known_cells import KnownCells
from autograder.grader.sandbox_outputs import NO_CHECK
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.standings.number_text import number
from autograder.standings.state import State
from autograder.tasks.folders import exercise_folder
from autograder.verdicts.verdict import cell_of

CHECK = re.compile(r"""\s*check\(\s*["']\w+["']\s*\)\s*""")
"""The source of a cell that asks for a check."""
TO_CONFIRM = "it was graded anew after points were given by hand: confirm them in the formgrader"
LEFT_EMPTY = "left as it was handed out"
NOT_RUN = "it has not been run here"
DEFECT = "its check failed by itself"


@dataclasses.dataclass(frozen=True)
class CellScore:
    """The score of one graded cell in nbgrader's gradebook.

    Attributes:
        task: the name of the task, or the cell's grade_id if it belongs to no task.
        cell: the cell's grade_id.
        maximum: the points that the cell is worth.
        state: GRADED, BY_HAND or NOT_GRADED.
        automatic: the points of the check; None if there are none.
        by_hand: the points that a person gave instead; None if nobody did.
        extra: extra credit, in points.
        reason: why points are missing, in the check's words.
        is_left_empty: whether the cell is a question for a person to grade, and the student wrote nothing.
        asserted: whether asserts beside the student's code gave the automatic points, and no check.
        notebook: the name of the notebook that it stands in; empty if unknown.
        tested: whether it is an autograded test, not an answer that a person grades.
    """

    task: str
    cell: str
    maximum: float
    state: State = State.GRADED
    automatic: float | None = None
    by_hand: float | None = None
    extra: float = 0.0
    reason: str = ""
    is_left_empty: bool = False
    asserted: bool = False
    notebook: str = ""
    tested: bool = True

    @staticmethod
    def of(
        row: Grade,
        name: str,
        maximum: float,
        tested: bool,
        reason: str = "",
        tasks: Collection[str] = (),
        text: str = "",
    ) -> CellScore:
        """Read the score of a cell from nbgrader's row.

        Args:
            row: the row.
            name: the cell's grade_id.
            maximum: the points that the cell is worth; nbgrader's row would query the database for it.
            tested: whether the cell is an autograded test, not an answer that a person grades.
            reason: why points are missing, in the check's words.
            tasks: names of the exercise's tasks.
            text: its source.
        """
        given = row.auto_score, row.manual_score, row.extra_credit or 0.0
        state = _state(row, tested)
        # nbgrader gives 0 to an answer whose cell is as it was handed out, and to no other
        empty = state is State.GRADED and not tested and row.manual_score is None and row.auto_score == 0
        if state is State.NOT_GRADED:
            reason = why_not_graded(text)
        elif empty:
            reason = LEFT_EMPTY
        task = name.removeprefix(GRADE_ID)
        asked = CHECK.fullmatch(text) is not None  # of a task that the course may not have any more
        asserted = tested and not asked and (task not in tasks or task == name) and row.auto_score is not None
        return CellScore(task, name, maximum, state, *given, reason, empty, asserted, tested=tested)

    @property
    def points(self) -> float:
        """The points so far: those given by hand if there are any, else those of the check, plus extra credit."""
        return _first(self.by_hand, self.automatic) + self.extra

    @property
    def out_of_range(self) -> str:
        """Describe points by hand that are out of range, which nbgrader accepts; empty if they are in range."""
        if self.by_hand is not None and not 0 <= self.by_hand <= self.maximum:
            return f"{number(self.by_hand)} of {number(self.maximum)}"
        return f"{number(self.extra)} extra credit" if self.extra < 0 else ""

    @property
    def shown(self) -> str:
        """The points and the maximum as text; a dash stands for points that are not final."""
        return f"{number(self.points) if self.state is State.GRADED else '-'}/{number(self.maximum)}"

    @property
    def why(self) -> str:
        """Explain in one line why the cell lacks points, or who gave them."""
        if self.state is State.NOT_GRADED:
            return f"{self.state.value}: {self.reason}" if self.reason else self.state.value
        if self.state is State.BY_HAND:
            return ": ".join(filter(None, [self.state.value, self._to_do]))
        if self.by_hand is not None:
            checked = "" if self.automatic is None else f", {number(self.automatic)} by the check"
            odd = f"{self.out_of_range}, which is out of range" if self.out_of_range else ""
            return ". ".join(filter(None, [f"given by hand{checked}", odd, self.reason]))
        return self.reason

    @property
    def _to_do(self) -> str:
        """Say why a person has to look at the cell; empty if only to grade an answer."""
        if self.by_hand is not None:
            return TO_CONFIRM
        return "" if self.automatic is None else self.reason or DEFECT


def cell_scores(
    notebook: SubmittedNotebook, known: KnownCells, verdicts: Mapping[str, dict[str, Any]] = MappingProxyType({})
) -> list[CellScore]:
    """Read the scores of a submitted notebook's cells, sorted in the notebook's order.

    Args:
        notebook: nbgrader's row.
        known: the cells of the exercise's notebook.
        verdicts: the checks' verdicts by task, needed only for reasons.
    """
    by_cell = {cell_of(verdict | {"task": task}): verdict for task, verdict in verdicts.items()}
    place = {name: number for number, name in enumerate(known)}
    folder, cells = exercise_folder(notebook.name), []
    tasks = folder.tasks if folder is not None else ()
    for row in sorted(notebook.grades, key=lambda row: place.get(row.cell.name, len(place))):
        name = row.cell.name
        metadata, kind, text = known.get(name) or ({"grade": True, "points": row.max_score}, row.cell.cell_type, "")
        reason = by_cell.get(name, {}).get("reason", "")
        score = CellScore.of(row, name, metadata["points"], is_tested(metadata, kind), reason, tasks, text)
        cells.append(dataclasses.replace(score, notebook=notebook.name))
    return cells


def why_not_graded(text: str) -> str:
    """Say why an autograded test has no points: it asks for a check that there is not, or nobody has run it."""
    return NO_CHECK if "check(" in text else NOT_RUN


def has_points(cells: Collection[CellScore]) -> bool:
    """Tell whether a check or a person has given points for any of these cells."""
    return any(cell.automatic is not None or cell.by_hand is not None for cell in cells)


def is_tested(metadata: dict[str, Any], kind: str) -> bool:
    """Tell whether a cell is an autograded test, not an answer for a person, from nbgrader's metadata and its type."""
    return kind == "code" and bool(metadata.get("grade")) and not metadata.get("solution")


def _state(row: Grade, tested: bool) -> State:
    if row.auto_score is None and row.manual_score is None:
        return State.NOT_GRADED if tested else State.BY_HAND
    return State.BY_HAND if row.needs_manual_grade else State.GRADED


def _first(*given: float | None) -> float:
    return next((points for points in given if points is not None), 0.0)
