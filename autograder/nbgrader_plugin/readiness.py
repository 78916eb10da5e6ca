"""Checks and preparations before grading: the exercise is in the gradebook, and the extensions can be read."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import make_url
from traitlets.config import Config

from autograder.gradebook_access.folder import gradebook_folder
from autograder.gradebook_access.reasons import reason
from autograder.grader.secret_seed import NAME as SEED
from autograder.grader.secret_seed import keep_fingerprint, seed_is_another
from autograder.nbgrader_plugin.course_choice import notes_on_choice
from autograder.nbgrader_plugin.extensions import Extension, check, extensions, granted
from autograder.nbgrader_plugin.late_work import LateWork
from autograder.nbgrader_plugin.own_solution import other_kernel
from autograder.nbgrader_plugin.registering import exercises, register
from autograder.standings.last_seen import report_differences


def make_ready(converter: Autograde) -> None:
    """Register the exercise of a conversion in the gradebook, read the extensions, and log warnings.

    Raises:
        NbGraderException: if nothing can be graded; the reason is logged.
    """
    course = converter.coursedir
    try:
        gradebook = gradebook_folder(course)
        _require(gradebook / SEED)
        if said := seed_is_another(gradebook):
            converter.log.warning("%s", said)
        keep_fingerprint(gradebook)
        if course.assignment_id in exercises(course) and register(course, course.assignment_id):
            converter.log.info("%s is registered in the gradebook", course.assignment_id)
        with Gradebook(course.db_url, course.course_id) as gradebook:
            _require_python(gradebook, course.assignment_id)
            notes = report_differences(gradebook, course, course.assignment_id)
            choice = list(notes_on_choice(course, [one.name for one in gradebook.assignments]))
        for note in [*check_extensions(course, converter.config), *choice, *notes]:
            converter.log.warning("%s", note)
    except Exception as error:
        converter.log.error("Not graded: %s", said := reason(error))
        raise NbGraderException(said) from error


def _require_python(gradebook: Gradebook, assignment: str) -> None:
    """Refuse an assignment with a notebook for another language.

    Raises:
        NbGraderException: if so.
    """
    try:
        notebooks = gradebook.find_assignment(assignment).notebooks
    except MissingEntry:
        return  # nbgrader says so
    for one in notebooks:
        if refused := other_kernel(assignment, one.name, json.loads(one.kernelspec or "{}")):
            raise NbGraderException(refused)


def require_assignment(converter: GenerateFeedback) -> None:
    """Require that the gradebook exists and knows the assignment of a conversion.

    Raises:
        NbGraderException: if it does not; the reason is logged.
    """
    course, name = converter.coursedir, converter.coursedir.assignment_id
    url = make_url(course.db_url)
    known: list[str] = []
    if url.drivername != "sqlite" or url.database is None or Path(url.database).exists():  # else it would be created
        with Gradebook(course.db_url, course.course_id) as gradebook:
            known = [assignment.name for assignment in gradebook.assignments]
    if name and name not in known:
        said = f"the gradebook knows no {name}: put a backup of it back, or run `autograder grade {name}`"
        converter.log.error("No feedback is made, and earlier pages stay: %s", said)
        raise NbGraderException(said)


def _require(path: Path) -> None:
    """Refuse a file that exists and is not readable.

    Raises:
        PermissionError: if so.
    """
    if path.exists() and not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def extensions_table(course: CourseDirectory, config: Config) -> Path:
    """Return the path of the table of extensions, which may not exist."""
    return Path(course.root, LateWork(config=config).extensions)


def allowance(course: CourseDirectory, config: Config, student: str, assignment: str) -> Extension:
    """Return what the table of extensions grants a student for an assignment.

    Raises:
        ExtensionsError: if the table cannot be used.
    """
    return granted(extensions_table(course, config), student, assignment)


def check_extensions(course: CourseDirectory, config: Config) -> list[str]:
    """Compare the table of extensions with the course.

    Args:
        course: the course.
        config: the whole configuration.

    Returns:
        Sentences for a person about lines whose student is unknown, or about a table without effect.

    Raises:
        ExtensionsError: if a line cannot be used.
    """
    table = extensions_table(course, config)
    submitted = Path(course.format_path(course.submitted_directory, ".", "."))
    if not table.exists():
        return []
    plugin, said = config.AssignLatePenalties.get("plugin_class", ""), list[str]()
    if plugin not in (LateWork, f"{LateWork.__module__}.{LateWork.__name__}"):
        said = [
            f"{table} has no effect: set c.AssignLatePenalties.plugin_class in settings.py, see docs/class_grading.md"
        ]
        if not any(one.cohort for one in extensions(table)):
            return said
        said = [said[0].replace("has no effect", "extends no due date")]
    with Gradebook(course.db_url, course.course_id) as gradebook:
        students = {student.id for student in gradebook.students}
        assignments = {assignment.name for assignment in gradebook.assignments} | set(exercises(course))
    if submitted.is_dir():
        students |= {folder.name for folder in submitted.iterdir()}
    return said + check(table, students, assignments)
