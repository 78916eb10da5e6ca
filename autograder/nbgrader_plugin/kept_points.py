"""Submissions that `nbgrader autograde` and the formgrader's button leave alone, because only the course has changed.

nbgrader deletes a graded notebook before it grades again, so this is decided before it begins. A person who wants other
points for the same work judges the class again, with a reason: `autograder grade --rejudge`.
"""

from __future__ import annotations

from collections.abc import Iterable

from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook_access.folder import submitted_folder
from autograder.gradebook_access.known_cells import known_cells
from autograder.grader.provenance import file_digest
from autograder.notebooks.reading import UnreadableNotebookError
from autograder.notebooks.submission_files import notebook_bytes, time_of
from autograder.standings.course_changes import course_changes
from autograder.standings.handed_in import HandedIn
from autograder.verdicts.graded_notebook import GradedNotebook


def course_changes_only(
    course: CourseDirectory, student: str, assignment: str, notebooks: Iterable[str]
) -> tuple[str, ...]:
    """Say what has changed in the course since a submission was graded; empty if it is to be graded.

    Args:
        course: locates the submissions.
        student: the student's id.
        assignment: the assignment's name.
        notebooks: the names of the notebooks that would be graded.
    """
    handed_in, changes = HandedIn(course, assignment), dict[str, None]()
    with Gradebook(course.db_url, course.course_id) as gradebook:
        try:
            row = gradebook.find_submission(assignment, student)
            of_notebooks = {one.name: known_cells(one) for one in gradebook.find_assignment(assignment).notebooks}
        except MissingEntry:
            return ()
        for name in notebooks:
            if name not in of_notebooks:
                continue
            graded = GradedNotebook.read(handed_in.graded(student, name))
            if not _is_of(course, row, name, graded):
                return ()
            changes |= dict.fromkeys(course_changes(graded, name, of_notebooks[name]))
    return tuple(changes)


def _is_of(course: CourseDirectory, row: SubmittedAssignment, notebook: str, graded: GradedNotebook) -> bool:
    """Tell whether a graded notebook, and the row, belong to the file that is handed in now."""
    submitted, parts = submitted_folder(course), (row.student.id, row.assignment.name)
    try:
        raw = notebook_bytes(submitted, (*parts, f"{notebook}.ipynb"))
    except UnreadableNotebookError:
        raw = b""
    same = graded.exists and graded.handed_in == file_digest(raw)
    return bool(same and row.timestamp == time_of(submitted, parts).time)
