"""The folder of a course's gradebook: where this package keeps the seed, answers, results and settings of a class."""

from __future__ import annotations

from pathlib import Path

from nbgrader.coursedir import CourseDirectory

NAME = "gradebook"


def submitted_folder(course: CourseDirectory) -> Path:
    """Return the folder of all submissions."""
    return Path(course.format_path(course.submitted_directory, ".", ".")).resolve()


def gradebook_folder(course: CourseDirectory) -> Path:
    """Return the folder that holds the one of submissions; if that is the course's own, as by default, one in it."""
    above = submitted_folder(course).parent
    return above / NAME if above == Path(course.root).resolve() else above
