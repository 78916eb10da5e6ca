"""The gradebook's rows of one assignment: those that nbgrader makes for each submission, read and written in bulk.

nbgrader's API makes a query and a commit for each cell and comment. Here the rows of many submissions are read by one
query for each table and written by one statement for each; what a row means is said in `recording`.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
)
from sqlalchemy import Table, bindparam, insert, select, update

STUDENT: Table = Student.__table__
SUBMISSION: Table = SubmittedAssignment.__table__
NOTEBOOK: Table = SubmittedNotebook.__table__
GRADE: Table = Grade.__table__
COMMENT: Table = Comment.__table__
IN_ORDER = (STUDENT, SUBMISSION, NOTEBOOK, GRADE, COMMENT)
"""Each table after those that its rows refer to."""


@dataclasses.dataclass
class GradeRow:
    """The row of one graded cell: its id, the automatic score, the two that people give, and whether it waits."""

    id: str
    automatic: float | None = None
    by_hand: float | None = None
    extra: float | None = None
    waits: bool = True

    @property
    def score(self) -> float:
        """The points that nbgrader counts."""
        points = self.by_hand if self.by_hand is not None else self.automatic
        return 0.0 if points is None else points + (self.extra or 0.0)


@dataclasses.dataclass
class NotebookRows:
    """The rows of one submitted notebook.

    Attributes:
        id: nbgrader's.
        penalty: for lateness.
        grades: by grade_id.
        comments: the id and the automatic comment, by grade_id.
    """

    id: str
    penalty: float | None = None
    grades: dict[str, GradeRow] = dataclasses.field(default_factory=dict)
    comments: dict[str, tuple[str, str | None]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class SubmissionRows:
    """The rows of one student's submission; the notebooks are by name."""

    id: str
    timestamp: datetime | None = None
    extension: timedelta | None = None
    notebooks: dict[str, NotebookRows] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class AssignmentCells:
    """An assignment of the gradebook, with ids of nbgrader's.

    Attributes:
        id: its own.
        duedate: when it is due, if ever.
        names: of its notebooks and their cells, by id.
        graded, commented: ids of the cells with a grade and of those with a comment, by the notebook's id.
    """

    id: str
    duedate: datetime | None
    names: dict[str, str] = dataclasses.field(default_factory=dict)
    graded: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    commented: dict[str, list[str]] = dataclasses.field(default_factory=dict)

    @staticmethod
    def read(gradebook: Gradebook, assignment: str) -> AssignmentCells:
        """Read an assignment that the gradebook knows."""
        known = gradebook.find_assignment(assignment)
        found = AssignmentCells(known.id, known.duedate)
        for notebook in known.notebooks:
            graded = [*notebook.grade_cells, *notebook.task_cells]
            commented = [*notebook.solution_cells, *notebook.task_cells]
            found.names |= {one.id: one.name for one in (notebook, *graded, *commented)}
            found.graded[notebook.id] = [cell.id for cell in graded]
            found.commented[notebook.id] = [cell.id for cell in commented]
        return found


class AssignmentRows:
    """The rows of one assignment, of the students of one transaction."""

    def __init__(self, gradebook: Gradebook, cells: AssignmentCells) -> None:
        self._connection, self._cells = gradebook.db.connection(), cells
        self._new: defaultdict[Table, list[dict[str, Any]]] = defaultdict(list)
        self._changed: defaultdict[tuple[Table, str], list[dict[str, Any]]] = defaultdict(list)

    def of(self, students: Collection[str]) -> dict[str, SubmissionRows]:
        """Return the rows of these students' submissions; those that are missing are new."""
        wanted = list(students)
        there = set(self._connection.scalars(select(STUDENT.c.id).where(STUDENT.c.id.in_(wanted))))
        self._new[STUDENT] += [{"id": student} for student in wanted if student not in there]
        found = self._submissions(wanted)
        for student in wanted:
            if student not in found:
                found[student] = SubmissionRows(self._add(SUBMISSION, assignment_id=self._cells.id, student_id=student))
            self._complete(found[student])
        return found

    def _submissions(self, students: list[str]) -> dict[str, SubmissionRows]:
        """Read the rows that are there."""
        at, nb, grade, comment = SUBMISSION.c, NOTEBOOK.c, GRADE.c, COMMENT.c
        asked = select(at.student_id, at.id, at.timestamp, at.extension)
        asked = asked.where(at.assignment_id == self._cells.id, at.student_id.in_(students))
        found = {student: SubmissionRows(*rest) for student, *rest in self._connection.execute(asked)}
        submissions = {one.id: one for one in found.values()}
        notebooks = dict[str, NotebookRows]()
        part = select(nb.assignment_id, nb.notebook_id, nb.id, nb.late_submission_penalty)
        for submission, notebook, *rest in self._connection.execute(part.where(nb.assignment_id.in_(submissions))):
            notebooks[rest[0]] = submissions[submission].notebooks[self._cells.names[notebook]] = NotebookRows(*rest)
        graded = select(
            grade.notebook_id,
            grade.cell_id,
            grade.id,
            grade.auto_score,
            grade.manual_score,
            grade.extra_credit,
            grade.needs_manual_grade,
        )
        for notebook, cell, *rest in self._connection.execute(graded.where(grade.notebook_id.in_(notebooks))):
            if cell in self._cells.names:
                notebooks[notebook].grades[self._cells.names[cell]] = GradeRow(*rest)
        commented = select(comment.notebook_id, comment.cell_id, comment.id, comment.auto_comment)
        for notebook, cell, *rest in self._connection.execute(commented.where(comment.notebook_id.in_(notebooks))):
            if cell in self._cells.names:
                notebooks[notebook].comments[self._cells.names[cell]] = (rest[0], rest[1])
        return found

    def _complete(self, submission: SubmissionRows) -> None:
        """Add the rows that nbgrader makes with a submission, and that this one lacks."""
        for notebook, graded in self._cells.graded.items():
            name = self._cells.names[notebook]
            if name not in submission.notebooks:
                made = self._add(NOTEBOOK, notebook_id=notebook, assignment_id=submission.id, flagged=False)
                submission.notebooks[name] = NotebookRows(made)
            rows = submission.notebooks[name]
            for cell in graded:
                if self._cells.names[cell] not in rows.grades:
                    made = self._add(GRADE, cell_id=cell, notebook_id=rows.id, needs_manual_grade=True)
                    rows.grades[self._cells.names[cell]] = GradeRow(made)
            for cell in self._cells.commented[notebook]:
                if self._cells.names[cell] not in rows.comments:
                    rows.comments[self._cells.names[cell]] = self._add(COMMENT, cell_id=cell, notebook_id=rows.id), None

    def _add(self, table: Table, **values: Any) -> str:
        made: str = new_uuid()
        self._new[table].append({"id": made, **values})
        return made

    def change(self, table: Table, known_as: str, **values: Any) -> None:
        """Note the new values of a row."""
        self._changed[table, " ".join(values)].append({"row": known_as, **values})

    def write(self) -> None:
        """Write all that is new or changed; the caller commits."""
        for table in IN_ORDER:
            if self._new[table]:
                self._connection.execute(insert(table), self._new[table])
        for (table, names), rows in self._changed.items():
            values: dict[str, Any] = {name: bindparam(name) for name in names.split()}
            self._connection.execute(update(table).where(table.c.id == bindparam("row")).values(values), rows)
