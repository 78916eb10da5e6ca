"""`autograder deal`: write each student's notebook, with the versions of tasks that this student gets."""

from __future__ import annotations

import argparse
import contextlib
import functools
import zipfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from rich.table import Table
from rich.text import Text

from autograder.classroom.course import Course
from autograder.classroom.database import opened
from autograder.classroom.errors import CourseError
from autograder.gradebook_access.deals import keep_deal, read_deal
from autograder.gradebook_access.handed_out_cells import marked_cells, record, release_of
from autograder.grader.secret_seed import secret_seed
from autograder.nbgrader_plugin.registering import released_folder
from autograder.notebooks.submission_files import STUDENT
from autograder.tasks.dealing import Deal, deal_cells
from autograder.tasks.folders import exercise_of
from autograder.tasks.tables import TaskFolderError
from autograder.terminal import Terminal, add_names, complain
from autograder.whole_files import write_whole

COMPRESSED = zipfile.ZIP_DEFLATED
FOLDER = "dealt"
"""The folder of dealt notebooks in the gradebook's, with a folder per assignment and student."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `autograder deal`."""
    parser.add_argument("assignment", help="the name of an exercise that has been generated")
    parser.add_argument("--student", action="append", help="also this student; may be given several times")
    parser.add_argument("--zip", type=Path, metavar="FILE", help="put the notebooks into this archive too")
    parser.add_argument("--force", action="store_true", help="also if a student has handed in the undealt notebook")
    parser.add_argument("--show", action="store_true", help="write nothing; list which versions each student has")


def deal(options: argparse.Namespace) -> int:
    """Run `autograder deal`.

    Returns:
        0; 2 if the assignment cannot be dealt, or was not.
    """
    if options.show:
        return _show(options.assignment, options.student or [])
    count = 0
    with contextlib.ExitStack() as open_files:
        try:
            course, archive = Course(), None
            folder = course.gradebook / FOLDER / options.assignment
            for path, raw in dealt_notebooks(course, options.assignment, options.student or [], options.force):
                write_whole(path, raw)
                count += 1
                if options.zip is not None:
                    archive = archive or open_files.enter_context(zipfile.ZipFile(options.zip, "w", COMPRESSED))
                    archive.writestr(path.relative_to(folder).as_posix(), raw)
        except (CourseError, TaskFolderError, ValueError) as error:
            complain("deal", error)
            return 2
    print(f"{count} notebooks are in {folder}/STUDENT. Submissions are graded in the versions that were dealt.")
    return 0


def _show(assignment: str, also: list[str]) -> int:
    """Print a table of the versions that were dealt, with a line for each student."""
    try:
        course = Course()
        released = released_notebooks(course, assignment)
        deals = [one for path in released if (one := read_deal(course.directory, assignment, path.stem)) is not None]
        if not deals:
            raise CourseError(f"{assignment} was not dealt, so every student has version 1 of its tasks")
        tasks = [task for one in deals for task in one.counts]
        table = Table(title=assignment, title_justify="left")
        add_names(table, "student")
        for task in tasks:
            table.add_column(task, justify="right")
        for student in students_of(course, also):
            versions = {task: version for one in deals for task, version in one.versions(student).items()}
            table.add_row(Text(student), *(str(versions[task]) for task in tasks))
    except (CourseError, ValueError) as error:
        complain("deal", error)
        return 2
    Terminal().print(table)
    return 0


def released_notebooks(course: Course, assignment: str) -> list[Path]:
    """Return the released notebooks of an assignment.

    Raises:
        CourseError: if there are none.
    """
    released = sorted(released_folder(course.directory, assignment).glob("*.ipynb"))
    if not released:
        raise CourseError(f"{assignment} was never generated: run `nbgrader generate_assignment {assignment}` first")
    return released


def students_of(course: Course, also: list[str]) -> list[str]:
    """Return the gradebook's students and these, sorted.

    Raises:
        CourseError: if there is none, or one of the names is no student's.
    """
    with opened(course.directory.db_url) as gradebook:
        students = sorted({*(one.id for one in gradebook.students), *also})
    if not students:
        raise CourseError(
            "the gradebook knows no student: add them with `nbgrader db student import`, or name --student"
        )
    if wrong := [one for one in students if not STUDENT.fullmatch(one)]:
        raise CourseError(f"{wrong[0]!r} is no student's name")
    return students


def dealt_notebooks(
    course: Course, assignment: str, also: list[str], force: bool = False
) -> Iterator[tuple[Path, bytes]]:
    """Deal an assignment, and yield the file and the contents of each student's notebook.

    Args:
        course: the course.
        assignment: its name.
        also: students that the gradebook does not know yet.
        force: deal although somebody has handed in.

    Raises:
        CourseError: if it was not generated, has no versions, has been handed in, or there is no student.
        TaskFolderError: if a `versions.toml` cannot be used.
        ValueError: if the file that says how it is dealt is damaged.
    """
    released = released_notebooks(course, assignment)
    deals = {path: _deal_of(course, assignment, path.stem) for path in released}
    if not any(one.counts for one, _ in deals.values()):
        raise CourseError(f"no task of {assignment} has versions, so there is nothing to deal")
    students = students_of(course, also)
    early = [one.student for one in course.submissions(assignment)]
    if early and not force and any(is_new for _, is_new in deals.values()):
        raise CourseError(
            f"{early[0]} has handed in {assignment} already, and would be graded in versions of tasks that were "
            "not in that notebook: deal an assignment when you release it, or give --force"
        )
    for path, (one, _) in deals.items():
        if not one.counts:
            continue
        keep_deal(course.directory, assignment, path.stem, one)
        made = functools.cache(functools.partial(_dealt, path))  # many students get the same versions
        for student in students:
            folder = course.gradebook / FOLDER / assignment / student
            yield folder / path.name, made(tuple(one.versions(student).items()))
        for versions in {tuple(one.versions(student).items()) for student in students}:
            cells = marked_cells(nbformat.reads(made(versions).decode(), as_version=4))
            record(course.directory, assignment, path.stem, release_of(cells))  # a later release may differ from it


def _dealt(path: Path, versions: tuple[tuple[str, int], ...]) -> bytes:
    notebook = nbformat.read(path, as_version=4)
    deal_cells(notebook.cells, exercise_of(path.stem), dict(versions))
    return f"{nbformat.writes(notebook)}\n".encode()


def _deal_of(course: Course, assignment: str, notebook: str) -> tuple[Deal, bool]:
    """Return how a notebook is dealt, and whether that is new; an earlier deal stays, whatever became of the seed."""
    if (before := read_deal(course.directory, assignment, notebook)) is not None:
        return before, False
    return Deal.of(exercise_of(notebook), secret_seed(course.gradebook)), True
