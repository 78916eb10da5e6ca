"""`autograder similarity`: compare the submissions of an exercise, print the similar pairs, write HTML pages."""

from __future__ import annotations

import argparse
import contextlib
import copy
import time
from pathlib import Path

import nbformat
from rich.table import Table
from rich.text import Text

from autograder.classroom.course import Course
from autograder.classroom.errors import CourseError
from autograder.nbgrader_plugin.registering import released_folder
from autograder.similarity.fragments import Cell, UncomparableError, cells_of, fragments, read_cells
from autograder.similarity.pairs import few_of, pairs
from autograder.similarity.report import HINT, Findings, write_report
from autograder.tasks.dealing import deal_cells, other_versions
from autograder.tasks.folders import exercise_of
from autograder.terminal import Terminal, add_names, complain

MOST_PRINTED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `autograder similarity`."""
    parser.add_argument("exercise")
    parser.add_argument(
        "--few", type=int, default=None, help="code that more submissions share counts nothing; by the class's size"
    )
    parser.add_argument("--pages", type=int, default=100, help="how many pairs get a page")


def compare_class(options: argparse.Namespace) -> int:
    """Run `autograder similarity`.

    Returns:
        The exit status: 0, or 2 if there is nothing to compare.
    """
    start = time.monotonic()
    try:
        course = Course()
        findings = compare(course, options.exercise, options.few)
    except (CourseError, ValueError) as error:
        complain("autograder similarity", error)
        return 2
    written = write_report(findings, course.gradebook / "similarity" / options.exercise, options.pages)
    _show(findings, written, time.monotonic() - start)
    return 0


def compare(course: Course, exercise: str, few: int | None = None) -> Findings:
    """Compare the submissions of an exercise without running them.

    Args:
        course: the course with the submissions.
        exercise: the exercise's name.
        few: the most submissions that may share code that still counts; None chooses by the size of the class.

    Raises:
        CourseError: the name is invalid, or fewer than two submissions can be compared.
        ValueError: a `versions.toml`, or the file that says how the exercise is dealt, is damaged.
    """
    if Path(exercise).name != exercise or exercise in (".", ".."):
        raise CourseError(f"{exercise!r} is no exercise's name")
    cells: dict[str, list[Cell]] = {}
    fragments_of: dict[str, dict[int, str]] = {}
    left_out: dict[str, str] = {}
    versions: dict[str, dict[str, int]] = {}
    for submission in course.submissions(exercise):
        student = submission.student
        if not course.released(submission).is_file():
            continue  # it is not graded either, and one student may hand in thousands of them
        try:
            own = cells.get(student, []) + read_cells(submission.path, course.submitted)
            fragments_of[student], cells[student] = fragments(own), own
            versions.setdefault(student, {}).update(course.versions(submission))
        except UncomparableError as error:
            left_out[student] = str(error)
    if len(fragments_of) < 2:
        released = released_folder(course.directory, exercise)
        if not any(released.glob("*.ipynb")) and any(course.submissions(exercise)):
            raise CourseError(
                f"there is no notebook in {released}, so nothing is known of {exercise!r}: put it back, or run "
                f"`nbgrader generate_assignment {exercise}`"
            )
        raise CourseError(
            f"there are {len(fragments_of)} submissions of {exercise!r} to compare below {course.submitted}: "
            "it takes two"
        )
    few = few or few_of(len(fragments_of))
    found = pairs(fragments_of, published(course, exercise), few)
    return Findings(exercise, cells, found, left_out, few, versions)


def published(course: Course, exercise: str) -> set[int]:
    """Return the fragments of the course's own code: lessons, and released notebooks and sources in all versions."""
    of = course.directory
    folders = [Path(of.format_path(step, ".", exercise)) for step in (of.release_directory, of.source_directory)]
    own = [path for folder in folders for path in sorted(folder.glob("*.ipynb"))]
    found: set[int] = set()
    for path in [*own, *sorted(Path(of.root, "lessons").glob("*.ipynb"))]:
        notebook, name = nbformat.read(path, as_version=4), exercise_of(path.stem)
        found |= _fragments(notebook)
        for versions in other_versions(name) if path in own else ():
            dealt = copy.deepcopy(notebook)
            deal_cells(dealt.cells, name, versions)
            found |= _fragments(dealt)
    return found


def _fragments(notebook: nbformat.NotebookNode) -> set[int]:
    """Return the fragments of a notebook of any length, without those of cells that are not Python."""
    found: set[int] = set()
    for cell in cells_of(notebook):
        with contextlib.suppress(UncomparableError):
            found |= fragments([cell]).keys()
    return found


def _show(findings: Findings, written: Path, seconds: float) -> None:
    console = Terminal()
    console.print(Text(HINT))
    if findings.pairs:
        table = Table(title=findings.exercise, title_justify="left")
        add_names(table, "students")
        table.add_column("share")
        table.add_column("in", overflow="fold")
        for pair in findings.pairs[:MOST_PRINTED]:
            told = "\n".join(findings.described(pair))
            table.add_row(Text(f"{pair.first}\n{pair.second}"), f"{pair.overlaps[0].share:.0%}", Text(told))
        console.print(table)
    count = len(findings.pairs)
    what = f"{count} pair{'' if count == 1 else 's'}" if count else "no pair"
    console.print(Text(f"{what} among {len(findings.cells)} submissions, in {seconds:.1f} s: {written}"))
    for student, why in list(findings.left_out.items())[:MOST_PRINTED]:
        console.print(Text(f"not compared: {student}: {why}"))
