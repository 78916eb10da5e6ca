"""Exported tables of a class that hold a student; a person exports them again, or deletes them."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from pathlib import Path

from nbgrader.api import MissingEntry

from autograder.classroom.course import Course
from autograder.classroom.database import opened

WHAT_TO_DO = "export it again, or delete it"


def names_in_exports(course: Course, student: str) -> set[str]:
    """Return the ids that exporters may write for a student: nbgrader's, and the gradebook's email and lms_user_id.

    Raises:
        CourseError: if the gradebook cannot be opened.
    """
    with opened(course.directory.db_url) as gradebook:
        try:
            known = gradebook.find_student(student)
        except MissingEntry:
            return {student}
        return {student, (known.email or "").strip(), (known.lms_user_id or "").strip()} - {""}


def tables_with(gradebook: Path, names: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each exported table in the gradebook's folder that has a name in a cell of its own.

    Args:
        gradebook: the folder of the gradebook.
        names: those of one student.
    """
    for path in sorted((*gradebook.glob("*.csv"), *gradebook.glob("moodle/*.csv"))):
        try:
            with path.open(newline="", encoding="utf-8-sig", errors="replace") as file:
                found = {cell.strip() for row in csv.reader(file) for cell in row}.intersection(names)
        except (OSError, csv.Error):
            continue  # it is no table of ours
        if found:
            yield f"{path.relative_to(gradebook)} holds {', '.join(sorted(found))}: {WHAT_TO_DO}"
