"""The deals of a course, kept in `gradebook/deals/ASSIGNMENT/NOTEBOOK.json`; an assignment without one is not dealt."""

from __future__ import annotations

import json
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograder.gradebook_access.folder import gradebook_folder
from autograder.gradebook_access.known_cells import KnownCells
from autograder.tasks.dealing import Deal, dealt_source
from autograder.tasks.folders import exercise_of
from autograder.whole_files import write_whole

PUBLISHED = "versions.json"
"""A file of a release in the exchange: how each of its notebooks is dealt, by name."""


def deal_path(course: CourseDirectory, assignment: str, notebook: str) -> Path:
    """Return the path of the file that says how a notebook is dealt."""
    return gradebook_folder(course) / "deals" / assignment / f"{notebook}.json"


def read_deal(course: CourseDirectory, assignment: str, notebook: str) -> Deal | None:
    """Read how a notebook is dealt; None if every student gets the same.

    Raises:
        ValueError: if the file is damaged, because grading would then ask students other versions than they have.
    """
    path = deal_path(course, assignment, notebook)
    try:
        return Deal.from_data(json.loads(path.read_bytes()))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise ValueError(
            f"{path} cannot be read ({error}): put it back from a backup, or run `autograder deal` again"
        ) from None


def keep_deal(course: CourseDirectory, assignment: str, notebook: str, deal: Deal) -> None:
    """Write how a notebook is dealt."""
    write_whole(deal_path(course, assignment, notebook), json.dumps(deal.as_data(), indent=1).encode())


def dealt_versions(course: CourseDirectory, assignment: str, notebook: str, student: str) -> dict[str, int]:
    """Return, by task, the version that was dealt to a student; empty if every student gets the same.

    Raises:
        ValueError: as `read_deal`.
    """
    deal = read_deal(course, assignment, notebook)
    return {} if deal is None else deal.versions(student)


def cells_of_student(known: KnownCells, notebook: str, versions: dict[str, int]) -> KnownCells:
    """Return the cells that the gradebook knows as they stand in the notebook of a student.

    Args:
        known: the cells of the released notebook.
        notebook: its name.
        versions: by task, the version that was dealt to the student.
    """
    if not versions:
        return known
    exercise = exercise_of(notebook)
    return {
        name: (metadata, kind, dealt_source(name, source, exercise, versions))
        for name, (metadata, kind, source) in known.items()
    }
