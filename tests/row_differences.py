"""Which rows of two gradings of one class differ, and every reason for which they are meant to."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook

from tests.own_class import ANSWER_DELETED, BROKEN, HONEST, TEST_DELETED

Row = tuple[str, str, str, str]
"""Student, notebook, cell, column."""
Rows = Mapping[Row, Any]
NOT_GRADED = {"auto_score": None, "needs_manual_grade": True, "auto_comment": None}
NOTHING = {"auto_score": 0.0, "needs_manual_grade": False, "auto_comment": "No response."}

UNREADABLE = (
    "stock nbgrader fails a submission at its first notebook that is not JSON, grades none of those after it and "
    "deletes its folder; here the release is graded in that notebook's place, with a note, and the others as they are"
)
DELETED = (
    "stock nbgrader leaves a deleted test without a score, for a person to look at (OverwriteCells.add_missing_cells "
    "is off); here it is restored and run at the end"
)
NO_ANSWER = (
    "stock nbgrader leaves a deleted answer that a person grades without a score, for a person to look at; here the "
    "released cell is restored, which nbgrader's own rule then counts as no response; the summary names the student"
)
READ_ONLY = (
    "here the assignment's own files and folders can only be read, so that no submission changes what tests rely on; "
    "code that writes into them, or over them, works in stock nbgrader's kernel; new files beside them work in both"
)


@dataclasses.dataclass(frozen=True)
class Difference:
    """A value that two gradings recorded differently; `why` it is meant to be so, if it is."""

    row: Row
    stock: Any
    ours: Any
    why: str = ""

    def __str__(self) -> str:
        return f"{'/'.join(self.row)}: {self.stock} in stock nbgrader, {self.ours} here"


@dataclasses.dataclass(frozen=True)
class Comparison:
    """What came of grading an assignment twice.

    Attributes:
        failed: what stock nbgrader said if it could not make the release, which fails here, too.
        cells: number of cells compared, each once a student.
        found: all differences.
    """

    failed: str = ""
    cells: int = 0
    found: tuple[Difference, ...] = ()

    @property
    def unexplained(self) -> list[Difference]:
        return [one for one in self.found if not one.why]


def rows(course: Path, assignment: str) -> Rows:
    """What the gradebook says of an assignment's cells."""
    found: dict[Row, Any] = {}
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        for submission in gradebook.assignment_submissions(assignment):
            for notebook in submission.notebooks:
                place = submission.student.id, notebook.name
                for grade in notebook.grades:
                    for column in ("auto_score", "max_score", "needs_manual_grade"):
                        found[*place, grade.cell.name, column] = getattr(grade, column)
                for comment in notebook.comments:
                    found[*place, comment.cell.name, "auto_comment"] = comment.auto_comment
    return found


def compared(stock: Rows, ours: Rows, broken: str, meant: Mapping[str, str]) -> Comparison:
    """Compare the rows of two gradings.

    Args:
        stock, ours: the rows.
        broken: the notebook that is not JSON in one of the submissions.
        meant: reasons for differences in cells that are made for them, by grade_id.
    """
    found = []
    for row in sorted(stock | ours):
        values = stock.get(row, "no row"), ours.get(row, "no row")
        if values[0] != values[1]:
            why = meant.get(row[2]) or _why(row, *values, stock, broken)
            found.append(Difference(row, *values, why))
    return Comparison(cells=len({row[:3] for row in stock | ours}), found=tuple(found))


def _why(row: Row, stock: Any, ours: Any, rows: Rows, broken: str) -> str:
    """Say why a difference is meant to be; empty if it is not. The one place for what is meant to differ."""
    student, notebook, _, column = row
    if column not in NOT_GRADED or stock != NOT_GRADED[column]:
        return ""
    honest = rows.get((HONEST, *row[1:]))
    if student == BROKEN and ours == (NOTHING[column] if notebook == broken else honest):
        return UNREADABLE
    if student == ANSWER_DELETED and ours == NOTHING[column]:
        return NO_ANSWER
    return DELETED if student == TEST_DELETED and ours == honest else ""
