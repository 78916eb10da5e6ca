"""Registration of a released exercise in the gradebook.

It is missing there in a fresh clone, which has `exercises/` already, and after the database was lost. In both cases
`nbgrader generate_assignment` skips the exercise because its output exists; only `--force` would write the rows.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells

from autograder.tasks.folders import is_left_out


def released_folder(course: CourseDirectory, assignment: str) -> Path:
    """Return the folder of an exercise's released notebooks."""
    return Path(course.format_path(course.release_directory, ".", assignment))


def exercises(course: CourseDirectory) -> list[str]:
    """List the exercises that the course releases, sorted by name, without those that its course file leaves out."""
    names = {path.parent.name for path in released_folder(course, ".").glob("*/*.ipynb")}
    return sorted(name for name in names if not is_left_out(name))


def register(course: CourseDirectory, assignment: str) -> list[str]:
    """Write an exercise's rows as `nbgrader generate_assignment` does, from its released notebooks.

    Nothing is written for an assignment that has submissions, because nbgrader creates the rows of a submission's
    notebooks only together with the submission.

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
