"""Participants of an assignment: students unknown to the gradebook, and students whose submission is gone."""

from __future__ import annotations

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.standings.handed_in import HandedIn
from autograder.standings.standing import Standing, standings
from autograder.standings.state import State


def unregistered(gradebook: Gradebook, course: CourseDirectory, assignment: str) -> list[Standing]:
    """List students who have handed in and are unknown to the gradebook, because they were never graded."""
    strangers = HandedIn(course, assignment).students() - {student.id for student in gradebook.students}
    return list(standings(gradebook, course, assignment, strangers)) if strangers else []


def withdrawn(gradebook: Gradebook, course: CourseDirectory, assignment: str) -> list[str]:
    """List the ids of students with points in the gradebook whose submission is gone."""
    rows = {row.student.id for row in gradebook.assignment_submissions(assignment)}
    gone = rows - HandedIn(course, assignment).students()
    found = standings(gradebook, course, assignment, gone) if gone else []
    return [one.student for one in found if one.state is State.WITHDRAWN]


def has_participants(gradebook: Gradebook, course: CourseDirectory, assignment: str) -> bool:
    """Tell whether any student has handed in an assignment, or has points for it."""
    known = gradebook.find_assignment(assignment).num_submissions
    return bool(known or HandedIn(course, assignment).students())
