"""Which cells of a class nobody has graded yet, counted by the database: a class may be large."""

from __future__ import annotations

from collections.abc import Collection

from nbgrader.api import Assignment, BaseCell, Grade, Gradebook, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import and_, func, or_

from autograder.grader.outputs import NO_CHECK
from autograder.nbgrader_plugin.repair import known_cells
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.standings.cell_score import is_tested
from autograder.standings.numbers import submissions
from autograder.standings.state import State


def open_cells(
    gradebook: Gradebook, assignment: str, students: Collection[str] | None = None, without: Collection[str] = ()
) -> list[str]:
    """Say of each cell in how many submissions it is not graded, or waits for a person, a line each.

    Args:
        gradebook: nbgrader's, open.
        assignment: its name.
        students: only theirs.
        without: students who are not counted.
    """
    unjudged = and_(Grade.auto_score.is_(None), Grade.manual_score.is_(None))
    query = (
        gradebook.db.query(BaseCell.name, unjudged, func.count())
        .select_from(Grade)
        .join(BaseCell, Grade.cell_id == BaseCell.id)
        .join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .join(Student, SubmittedAssignment.student_id == Student.id)
        .filter(Assignment.name == assignment, or_(Grade.needs_manual_grade.is_(True), unjudged))
        .filter(Student.id.not_in(list(without)))
        .group_by(BaseCell.name, unjudged)
    )
    if students:
        query = query.filter(Student.id.in_(list(students)))
    known = [known_cells(notebook) for notebook in gradebook.find_assignment(assignment).notebooks]
    tested = {name for cells in known for name, (meta, kind, _) in cells.items() if is_tested(meta, kind)}
    lines = []
    for name, nobody, count in sorted(query):
        state = State.NOT_GRADED if nobody and name in tested else State.BY_HAND
        why = f" ({NO_CHECK})" if state is State.NOT_GRADED else ""
        task = name.removeprefix(GRADE_ID)
        lines.append(f"{assignment}: {task}: {state.value} in {submissions(count)}{why}")
    return lines
