"""Find the course in the current folder, and say why an assignment cannot be shown."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from autograder.classroom.errors import CourseError
from autograder.names import with_nearest
from autograder.nbgrader_plugin.registering import exercises
from autograder.standings.handed_in import HandedIn


def course_directory() -> CourseDirectory:
    """Return the course in the current folder, as nbgrader_config.py describes it.

    Raises:
        CourseError: if there is none.
    """
    if not Path("nbgrader_config.py").exists():
        raise CourseError("there is no nbgrader_config.py here: run this in the course's folder")
    return CourseDirectory(config=PyFileConfigLoader("nbgrader_config.py", path=".").load_config())


def why_unknown(course: CourseDirectory, assignment: str, known: Collection[str]) -> CourseError:
    """Return the error that says why the gradebook does not know an assignment, and what to do.

    Args:
        course: the course.
        assignment: the name that was asked for.
        known: the names of the gradebook's assignments.
    """
    if assignment not in exercises(course):
        return CourseError(f"there is no assignment {with_nearest(assignment, {*known, *exercises(course)})}")
    if not HandedIn(course, assignment).students():
        return CourseError(f"{assignment} has no submission")
    return CourseError(f"{assignment} is not graded yet: run `autograder grade {assignment}`")
