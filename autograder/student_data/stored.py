"""Find and delete the data stored about a student, or export a class's results under pseudonyms."""

from __future__ import annotations

import csv
import hashlib
import hmac
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from nbgrader.api import MissingEntry

from autograder.class_report.stored_reports import reports_about as class_reports_about
from autograder.classroom.course import Course
from autograder.classroom.database import opened
from autograder.classroom.errors import CourseError
from autograder.classroom.store import Store, part_of_name
from autograder.decisions.log import forget_student, has_lines_of, log_file
from autograder.exports.csv_cells import text
from autograder.gradebook_access.graded_answers import forget_answers
from autograder.grader.secret_seed import secret_seed
from autograder.names import with_nearest
from autograder.nbgrader_plugin.delimited import names_in
from autograder.nbgrader_plugin.extensions import remove_student
from autograder.nbgrader_plugin.groups import ROSTER, remove_from_roster, roster_beside
from autograder.nbgrader_plugin.groups import STUDENT as ROSTER_COLUMNS
from autograder.notebooks.submission_files import STUDENT
from autograder.similarity.report import reports_about
from autograder.student_data.downloads import Downloads
from autograder.whole_files import remove
from autograder.wire.outcome import Outcome

COLUMNS = ("who", "assignment", "task", "points", "maximum", "diagnoses")


def places(course: Course, student: str) -> Iterator[Path]:
    """Yield every file and folder of a student in nbgrader's folders and in the gradebook's.

    Raises:
        CourseError: if the name is not a valid student's name.
    """
    if not STUDENT.fullmatch(student):
        raise CourseError(f"{student!r} is no student's name")
    of = course.directory
    steps = of.submitted_directory, of.autograded_directory, of.feedback_directory
    work = [Path(of.format_path(step, student, ".")) for step in steps]
    yield from filter(Path.exists, work)
    yield from Downloads(course, student).files()
    for exported in ("results", "gradescope", "dealt"):
        yield from sorted((course.gradebook / exported).glob(f"*/{student}"))
    yield from reports_about(course.gradebook / "similarity", student)
    yield from class_reports_about(course.gradebook, student, work)
    part = part_of_name(student)
    for path in sorted((course.gradebook / "answers").glob(f"*/{part}.*.answers")):
        if path.name.count(".") == part.count(".") + 3:  # else the file is another student's, such as "student-1.extra"
            yield path
    yield from sorted((course.gradebook / "decisions").glob(f"*/*/{student}"))
    yield from sorted((course.gradebook / "exchange").glob(f"*/inbound/{student}+*"))


def forget(course: Course, student: str) -> list[str]:
    """Delete a student's files and rows.

    Returns:
        What was deleted, a line each; empty if nothing was stored.

    Raises:
        CourseError: if the name is not a valid student's name, or the gradebook cannot be opened.
    """
    removed = []
    with opened(course.directory.db_url) as gradebook:  # opened first, so that nothing is deleted if it cannot be
        for path in list(places(course, student)):
            remove(path)
            removed.append(str(path))
        try:
            submissions = gradebook.find_student(student).submissions
            forget_answers(gradebook, [notebook.id for one in submissions for notebook in one.notebooks])
            gradebook.remove_student(student)
            removed.append("rows of the gradebook")
        except MissingEntry:
            pass
    if forget_student(course.gradebook, student):
        removed.append("lines of the log of decisions")
    if remove_student(course.extensions, student):
        removed.append(f"lines of {course.extensions.name}")
    if remove_from_roster(course.extensions, student):
        removed.append(f"lines of {ROSTER}")
    return removed


def stored(course: Course, student: str) -> list[str]:
    """Return what is stored about a student, a line each.

    Raises:
        CourseError: if nothing is, the name is not a valid student's name, or the gradebook cannot be opened.
    """
    found = [str(path) for path in places(course, student)]
    with opened(course.directory.db_url) as gradebook:
        students = {one.id for one in gradebook.students}
    if student in students:
        found.append(f"the rows of {student} in the gradebook")
    if has_lines_of(course.gradebook, student):
        found.append(f"the lines of {student} in {log_file(course.gradebook)}")
    extended = names_in(course.extensions, ("student",))
    if student in extended:
        found.append(f"the lines of {student} in {course.extensions}")
    listed = names_in(roster_beside(course.extensions), ROSTER_COLUMNS)
    if student in listed:
        found.append(f"the lines of {student} in {roster_beside(course.extensions)}")
    found += Downloads(course, student).left()
    if not found:
        known = students | extended | listed | {path.name for path in course.submitted.glob("*")}
        raise CourseError(f"there is nothing here of {with_nearest(student, known)}")
    return found


def export_anonymously(course: Course, to: TextIO) -> int:
    """Write every task's points and diagnoses as CSV, with a pseudonym for each student.

    Pseudonyms are derived from the course's secret seed: they are the same in every export of the course, and cannot
    be traced to a student from the table alone.

    Returns:
        The number of rows.
    """
    secret, store, count = secret_seed(course.gradebook), Store(course.gradebook), 0
    table = csv.writer(to)
    table.writerow(COLUMNS)
    for assignment in course.assignments([]):
        for submission in course.submissions(assignment):
            record = store.record(submission)
            who = hmac.new(secret, f"pseudonym {submission.student}".encode(), hashlib.sha256).hexdigest()[:12]
            for verdict in (record or {}).get("verdicts", []):
                missed = [one["mistake"] or one["kind"] for one in verdict["results"] if one["kind"] != Outcome.PASSED]
                points = verdict["points"], verdict["maximum"]
                words = (text(word) for word in (assignment, verdict["task"]))
                table.writerow([who, *words, *points, text("; ".join(missed))])
                count += 1
    return count
