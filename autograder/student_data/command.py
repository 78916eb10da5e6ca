"""The commands `autograder forget` and `autograder export-anonymous`."""

from __future__ import annotations

import argparse
import sys

from autograder.classroom.course import Course
from autograder.classroom.errors import CourseError
from autograder.grader.secret_seed import seed_is_another
from autograder.student_data.downloads import Downloads
from autograder.student_data.exported_tables import names_in_exports, tables_with
from autograder.student_data.stored import export_anonymously, forget, stored
from autograder.terminal import Terminal, complain


def forget_student(options: argparse.Namespace) -> int:
    """Run `autograder forget`: ask for confirmation, then delete a student's data.

    Returns:
        0; 1 if the answer was no; 2 if nothing is stored about the student, or there is no course or no terminal.
    """
    try:
        course = Course()
        found = stored(course, options.student)
        if not options.yes:
            Terminal().lines(found)
            if not _confirmed(options.student):
                print("Nothing was deleted.")
                return 1
        downloads, names = Downloads(course, options.student), names_in_exports(course, options.student)
        removed = forget(course, options.student)
        left = [*downloads.left(), *tables_with(course.gradebook, names)]
    except CourseError as error:
        complain("autograder forget", error)
        return 2
    Terminal().lines([f"deleted: {one}" for one in removed])
    Terminal().lines([f"not deleted: {one}" for one in left])
    return 0


def _confirmed(student: str) -> bool:
    """Ask for the student's name, and tell whether it was typed.

    Raises:
        CourseError: if there is no terminal.
    """
    if not sys.stdin.isatty():
        raise CourseError("there is no terminal to ask in: look at the list above, then repeat it with --yes")
    try:
        return input("Delete all of this? Type the student's name: ") == student
    except EOFError:
        return False


def export_class(options: argparse.Namespace) -> int:
    """Run `autograder export-anonymous`: write a class's results under pseudonyms.

    Returns:
        0; 2 if there is no course.
    """
    try:
        course = Course()
        if said := seed_is_another(course.gradebook):
            complain("autograder export-anonymous", said)
        with options.file.open("w", newline="", encoding="utf-8") as file:
            count = export_anonymously(course, file)
    except CourseError as error:
        complain("autograder export-anonymous", error)
        return 2
    print(f"{count} rows in {options.file}")
    return 0
