"""The points of one graded cell of one student, and who gave them."""

from __future__ import annotations

import dataclasses

from nbgrader.api import Grade

from autograder.grader.outputs import NO_CHECK
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.standings.numbers import number
from autograder.standings.state import State

TO_CONFIRM = "it was graded anew after points were given by hand: confirm them in the formgrader"
DEFECT = "its check failed by itself"


@dataclasses.dataclass(frozen=True)
class CellScore:
    """One graded cell, as nbgrader's gradebook has it.

    Attributes:
        task: the task's name, or the cell's where it is no task's.
        cell: the cell's grade_id.
        maximum: what it is worth.
        state: GRADED, BY_HAND or NOT_GRADED.
        automatic: points of the check; None where there are none.
        by_hand: points that a person gave in their place; None where nobody did.
        extra: extra credit.
        reason: why points are missing, as the check says.
    """

    task: str
    cell: str
    maximum: float
    state: State = State.GRADED
    automatic: float | None = None
    by_hand: float | None = None
    extra: float = 0.0
    reason: str = ""

    @staticmethod
    def of(row: Grade, name: str, maximum: float, tested: bool, reason: str = "") -> CellScore:
        """Read nbgrader's row of a cell.

        Args:
            row: the row.
            name: the cell's grade_id.
            maximum: what it is worth; nbgrader would ask the database for it, row by row.
            tested: whether the cell is an autograded test, not an answer that a person reads.
            reason: why points are missing, as the check says.
        """
        given = row.auto_score, row.manual_score, row.extra_credit or 0.0
        state = _state(row, tested)
        return CellScore(name.removeprefix(GRADE_ID), name, maximum, state, *given, reason)

    @property
    def points(self) -> float:
        """Points so far: those given by hand before those of the check, and extra credit."""
        return _first(self.by_hand, self.automatic) + self.extra

    @property
    def shown(self) -> str:
        """Points of how many; a dash in place of points that nobody has given."""
        return f"{number(self.points) if self.state is State.GRADED else '-'}/{number(self.maximum)}"

    @property
    def why(self) -> str:
        """What is to be said of a cell that lacks points, in one line."""
        if self.state is State.NOT_GRADED:
            return f"{self.state.value}: {NO_CHECK}"
        if self.state is State.BY_HAND:
            return ": ".join(filter(None, [self.state.value, self._asked]))
        if self.by_hand is not None:
            checked = "" if self.automatic is None else f", {number(self.automatic)} by the check"
            return ". ".join(filter(None, [f"given by hand{checked}", self.reason]))
        return self.reason

    @property
    def _asked(self) -> str:
        """What a person is asked for, where it is more than to grade an answer."""
        if self.by_hand is not None:
            return TO_CONFIRM
        return "" if self.automatic is None else self.reason or DEFECT


def is_tested(metadata: dict, kind: str) -> bool:
    """Tell an autograded test from an answer that a person reads, by nbgrader's metadata and the cell's type."""
    return kind == "code" and bool(metadata.get("grade")) and not metadata.get("solution")


def _state(row: Grade, tested: bool) -> State:
    if row.auto_score is None and row.manual_score is None:
        return State.NOT_GRADED if tested else State.BY_HAND
    return State.BY_HAND if row.needs_manual_grade else State.GRADED


def _first(*given: float | None) -> float:
    return next((points for points in given if points is not None), 0.0)
