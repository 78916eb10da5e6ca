"""Where class reports lie, and which of them are about a student, so that they are deleted with the student's data."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from autograder.class_report.page import ANONYMOUS
from autograder.static_page import shown

FOLDER, ASSIGNMENTS, COURSE = "report", "assignments", "course"
PAGE = "index.html"


def report_folder(gradebook: Path, assignment: str | None) -> Path:
    """Return the folder of a report.

    Args:
        gradebook: the gradebook's folder.
        assignment: a known assignment's name; None for the report about the course.
    """
    above = gradebook / FOLDER
    return above / COURSE if assignment is None else above / ASSIGNMENTS / assignment


def reports_about(gradebook: Path, student: str, work: Collection[Path]) -> Iterator[Path]:
    """Yield the folders of the reports that name a student, or are anonymous and count the student's work.

    Args:
        gradebook: the gradebook's folder.
        student: the student's id.
        work: the student's folders, with a folder for each assignment.
    """
    name, above = f">{shown(student)}<", gradebook / FOLDER
    for page in [*sorted((above / ASSIGNMENTS).glob(f"*/{PAGE}")), above / COURSE / PAGE]:
        if not page.is_file():
            continue
        html = page.read_text(encoding="utf-8", errors="replace")
        assignment = "" if page.parent == above / COURSE else page.parent.name
        counted = any((folder / assignment).is_dir() for folder in work)
        if name in html or (ANONYMOUS in html and counted):
            yield page.parent
