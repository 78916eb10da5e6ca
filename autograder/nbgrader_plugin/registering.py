"""Register an exercise in the gradebook that is known to the course and not to its gradebook.

That is so on a fresh clone, whose `exercises/` are there already, and after the database was lost: there
`nbgrader generate_assignment` finds its own output and skips it, and only `--force` would write the rows.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells


def released_folder(course: CourseDirectory, assignment: str) -> Path:
    """Where an exercise's released notebooks stand."""
    return Path(course.format_path(course.release_directory, ".", assignment))


def exercises(course: CourseDirectory) -> list[str]:
    """List the exercises that the course releases, by name."""
    return sorted({path.parent.name for path in released_folder(course, ".").glob("*/*.ipynb")})


def register(course: CourseDirectory, assignment: str) -> list[str]:
    """Write an exercise's rows as `nbgrader generate_assignment` does, from its released notebooks.

    Nothing is written for an assignment that has submissions: nbgrader gives those rows of their own only when it
    makes a submission.

    Args:
        course: the course.
        assignment: the exercise's name.

    Returns:
        The names of the notebooks that the gradebook lacked.
    """
    notebooks = sorted(released_folder(course, assignment).glob("*.ipynb"))
    if not notebooks:
        return []
    with Gradebook(course.db_url, course.course_id) as gradebook:
        try:
            found = gradebook.find_assignment(assignment)
        except MissingEntry:
            found = gradebook.add_assignment(assignment)
        known = {notebook.name for notebook in found.notebooks}
        if found.submissions:
            return []
    missing = [path for path in notebooks if path.stem not in known]
    for path in missing:
        about = {"notebook": path.stem, "assignment": assignment, "db_url": course.db_url}
        SaveCells().preprocess(nbformat.read(path, as_version=4), {"nbgrader": about})
    return [path.stem for path in missing]
