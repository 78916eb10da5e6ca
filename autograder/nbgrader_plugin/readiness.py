"""What is seen to once, before anything is graded: the exercise is in the gradebook, the extensions can be read."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.grader.secret_seed import NAME as SEED
from autograder.nbgrader_plugin.extensions import check
from autograder.nbgrader_plugin.late_work import LateWork
from autograder.nbgrader_plugin.reasons import reason
from autograder.nbgrader_plugin.registering import exercises, register


def make_ready(converter: Autograde) -> None:
    """Register the exercise that a conversion is about, and read the extensions; say what a person should know.

    Raises:
        NbGraderException: where nothing can be graded; the reason is logged.
    """
    course = converter.coursedir
    try:
        _require(Path(course.format_path(course.submitted_directory, ".", ".")).resolve().parent / SEED)
        if course.assignment_id in exercises(course) and register(course, course.assignment_id):
            converter.log.info("%s is registered in the gradebook", course.assignment_id)
        for note in check_extensions(course, converter.config):
            converter.log.warning("%s", note)
    except Exception as error:
        converter.log.error("Not graded: %s", said := reason(error))
        raise NbGraderException(said) from error


def _require(path: Path) -> None:
    """Stop where a file is there and not for us to read.

    Raises:
        PermissionError: then.
    """
    if path.exists() and not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def extensions_table(course: CourseDirectory, config: Config) -> Path:
    """Where the table of extensions is, or would be."""
    return Path(course.root, LateWork(config=config).extensions)


def check_extensions(course: CourseDirectory, config: Config) -> list[str]:
    """Read the table of extensions against the course.

    Args:
        course: the course.
        config: all settings.

    Returns:
        Sentences for a person: lines whose student is unknown, or that the table has no effect.

    Raises:
        ExtensionsError: where a line cannot be used.
    """
    table = extensions_table(course, config)
    submitted = Path(course.format_path(course.submitted_directory, ".", "."))
    if not table.exists():
        return []
    plugin = config.AssignLatePenalties.get("plugin_class", "")
    if plugin not in (LateWork, f"{LateWork.__module__}.{LateWork.__name__}"):
        return [
            f"{table} has no effect: set c.AssignLatePenalties.plugin_class in settings.py, see docs/class_grading.md"
        ]
    with Gradebook(course.db_url, course.course_id) as gradebook:
        students = {student.id for student in gradebook.students}
        assignments = {assignment.name for assignment in gradebook.assignments} | set(exercises(course))
    if submitted.is_dir():
        students |= {folder.name for folder in submitted.iterdir()}
    return check(table, students, assignments)
