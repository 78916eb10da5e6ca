"""Points that a person should check: out of the cell's range, or 0 because the answer was left empty.

The database selects them, because a class may be large.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import and_, or_

from autograder.gradebook_access.known_cells import known_cells
from autograder.standings.cell_score import CellScore, is_tested


def points_to_check(
    gradebook: Gradebook, assignment: str, students: Collection[str] | None = None, without: Collection[str] = ()
) -> Iterator[tuple[str, CellScore]]:
    """Yield student ids with cells whose points are out of range, or whose answer was left empty.

    Args:
        gradebook: nbgrader's open gradebook.
        assignment: the assignment's name.
        students: the ids of the students to check; None for all.
        without: the ids of students to leave out.
    """
    known = {one.name: known_cells(one) for one in gradebook.find_assignment(assignment).notebooks}
    graded = [(name, *cell[:2]) for cells in known.values() for name, cell in cells.items() if "points" in cell[0]]
    for_people = [name for name, metadata, kind in graded if not is_tested(metadata, kind)]
    empty = and_(Grade.auto_score == 0, BaseCell.name.in_(for_people))
    query = (
        gradebook.db.query(Grade, Student.id, Notebook.name, BaseCell.name)
        .select_from(Grade)
        .join(BaseCell, Grade.cell_id == BaseCell.id)
        .join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
        .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .join(Student, SubmittedAssignment.student_id == Student.id)
        .filter(Assignment.name == assignment, Student.id.not_in(list(without)))
        .filter(or_(Grade.manual_score.is_not(None), Grade.extra_credit < 0, empty))
        .order_by(Student.id, BaseCell.name)
    )
    if students:
        query = query.filter(Student.id.in_(list(students)))
    for row, student, notebook, name in query:
        metadata, kind, _ = known[notebook].get(name, ({}, "", ""))
        if "points" not in metadata:
            continue
        cell = CellScore.of(row, name, metadata["points"], is_tested(metadata, kind))
        if cell.out_of_range or cell.is_left_empty:
            yield student, cell
