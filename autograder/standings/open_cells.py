"""The cells of a class that are not graded yet, counted by the database because a class may be large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from nbgrader.api import Assignment, BaseCell, Grade, Gradebook, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import and_, func, or_

from autograder.gradebook_access.known_cells import known_cells
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.standings.cell_score import is_tested, why_not_graded
from autograder.standings.number_text import submissions
from autograder.standings.state import State


def open_cells(
    gradebook: Gradebook, assignment: str, students: Collection[str] | None = None, without: Collection[str] = ()
) -> list[str]:
    """Say for each cell in how many submissions it is not graded, or waits for a person, one line per cell.

    Args:
        gradebook: nbgrader's open gradebook.
        assignment: the assignment's name.
        students: the ids of the students to count; None for all.
        without: the ids of students to leave out.
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
    tested = {
        name: why_not_graded(text)
        for notebook in gradebook.find_assignment(assignment).notebooks
        for name, (meta, kind, text) in known_cells(notebook).items()
        if is_tested(meta, kind)
    }
    counts = Counter[tuple[str, str]]()
    for name, nobody, count in query:  # unread answers and points to confirm both wait for a person
        state = State.NOT_GRADED if nobody and name in tested else State.BY_HAND
        counts[name, state.value] += count
    return [
        f"{assignment}: {name.removeprefix(GRADE_ID)}: {state} in {submissions(count)}"
        + (f" ({tested[name]})" if state == State.NOT_GRADED.value else "")
        for (name, state), count in sorted(counts.items())
    ]
