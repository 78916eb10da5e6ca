"""`autograder report`: read a class's results, write the page and its tables, say where they are."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from autograder.class_report.assignment_sections import AssignmentPart
from autograder.class_report.class_sections import assignment_page, course_page
from autograder.class_report.csv_tables import tables, write_tables
from autograder.class_report.graded_work import assignment_results
from autograder.class_report.participation import Stopped, stopped
from autograder.class_report.pseudonyms import Pseudonyms
from autograder.class_report.results import AssignmentResults
from autograder.class_report.stored_reports import PAGE, report_folder
from autograder.class_report.weeks import Timeline, timeline
from autograder.classroom.assignment_lookup import course_directory, why_unknown
from autograder.classroom.database import known_gradebook
from autograder.classroom.errors import CourseError
from autograder.gradebook_access.folder import gradebook_folder
from autograder.gradebook_access.reasons import reason
from autograder.nbgrader_plugin.anonymity import is_anonymous
from autograder.nbgrader_plugin.extensions import ExtensionsError
from autograder.sharing import share_file
from autograder.terminal import Terminal, complain
from autograder.whole_files import write_whole

VERB = "autograder report"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `autograder report`."""
    parser.add_argument("assignment", nargs="?", help="its name; where left out, the whole course, week by week")
    parser.add_argument("--anonymous", action="store_true", help="call students by numbers drawn for this page")
    parser.add_argument(
        "--csv", type=Path, metavar="FOLDER", help="where to write the tables; beside the page if left out"
    )


def write_class_report(options: argparse.Namespace) -> int:
    """Run `autograder report`.

    Returns:
        The exit status: 0, or 2 if there is nothing to report, or it cannot be written.
    """
    start = time.monotonic()
    try:
        course = course_directory()
        every, time_line = read_class(course, options.assignment)
        anonymous = options.anonymous or is_anonymous(course.config)
        folder = report_folder(gradebook_folder(course), options.assignment)
        to = write_report(folder, every, time_line, options.assignment, anonymous, options.csv)
    except CourseError as error:
        complain(VERB, error)
        return 2
    except OSError as error:
        complain(VERB, reason(error))
        return 2
    students = len({one.student for results in every for one in results.participants})
    took = f"{students} student{'' if students == 1 else 's'}, in {time.monotonic() - start:.1f} s"
    Terminal().lines([f"{took}: {folder / PAGE}", f"The tables as CSV: {to}{os.sep}"])
    return 0


def read_class(course: CourseDirectory, assignment: str | None) -> tuple[list[AssignmentResults], Timeline]:
    """Read the results of an assignment, or of all that have submissions, and the order of all assignments.

    Raises:
        CourseError: if there is no such assignment, there are no submissions, or the gradebook cannot be read.
    """
    with known_gradebook(course) as gradebook:
        order = timeline(gradebook, course)
        if assignment is None:
            wanted = [name for name in order.order if order.handed_in[name]]
            if not wanted:
                raise CourseError("there are no submissions yet")
        elif assignment in order.order and Path(assignment).name == assignment:
            wanted = [assignment]
        else:
            raise why_unknown(course, assignment, order.order)
        try:
            return [assignment_results(gradebook, course, name) for name in wanted], order
        except ExtensionsError as error:
            raise CourseError(str(error)) from error


def write_report(
    folder: Path,
    every: Sequence[AssignmentResults],
    order: Timeline,
    assignment: str | None,
    anonymous: bool = False,
    csv: Path | None = None,
) -> Path:
    """Write a page and its tables, which replace older ones.

    Args:
        folder: the page's folder.
        every: the results of each assignment, the earliest first.
        order: the order of the course's assignments.
        assignment: the assignment's name; None for the course.
        anonymous: whether students are called by numbers.
        csv: the folder of the tables; None for the page's.

    Returns:
        The folder of the tables.

    Raises:
        OSError: if a file or a folder cannot be written.
    """
    parts = [AssignmentPart(one) for one in every]
    gone = _gone(order, assignment)
    who = {one.student for results in every for one in results.participants} | {one.student for one in gone}
    names = Pseudonyms(who, anonymous)
    html = course_page(parts, order, gone, names) if assignment is None else assignment_page(parts[0], gone, names)
    write_whole(folder / PAGE, html.encode("utf-8", errors="replace"))
    made, to = tables(parts, gone, names), csv or folder
    write_tables(to, made)
    for name in made if csv is None else ():
        share_file(to / name)
    return to


def _gone(order: Timeline, assignment: str | None) -> list[Stopped]:
    """List who stopped handing in, up to the assignment that is reported on."""
    names = order.order if assignment is None else order.order[: order.order.index(assignment) + 1]
    return stopped(names, order.handed_in, order.waiting())
