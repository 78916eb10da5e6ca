"""Failed submissions: what was written in part, or for an older file, stops counting, and the reason is kept instead.

What was recorded for the file that is handed in now stays, because it was graded, and that it could not be graded again
is no reason to change its points; so does what a decision in the log is about, which the next run finishes. Any other
graded notebook is removed, as nbgrader does when a conversion fails: the formgrader then shows the submission as not
graded. A place where nothing may be written keeps what it holds: the run has said why.
"""

from __future__ import annotations

from collections.abc import Callable

from autograder.classroom.course import Course, Submission
from autograder.classroom.done import Done
from autograder.classroom.store import UNFINISHED, Store
from autograder.grader.provenance import file_digest
from autograder.notebooks.reading import UnavailableNotebookError, UnreadableNotebookError
from autograder.notebooks.submission_files import notebook_bytes
from autograder.verdicts.graded_notebook import GradedNotebook
from autograder.whole_files import is_refused, remove


def note_failure(course: Course, store: Store, done: Done) -> None:
    """Keep why a submission failed, and remove its result and its graded notebook, unless they are to stay."""
    _unless_refused(lambda: _note(course, store, done))


def _note(course: Course, store: Store, done: Done) -> None:
    unfinished = UNFINISHED in (store.record(done.submission) or {})
    if unfinished or (not done.begun and _is_graded(course, done.submission)):
        return
    _unless_refused(lambda: store.begin(done.submission, None))
    _unless_refused(lambda: store.keep_failure(done.submission, done.reason.strip().splitlines()[-1]))
    graded = course.autograded(done.submission)
    graded.unlink(missing_ok=True)
    if graded.parent.exists() and not any(graded.parent.glob("*.ipynb")):
        remove(graded.parent)


def _is_graded(course: Course, submission: Submission) -> bool:
    """Tell whether the graded notebook is that of the file that is handed in now, or may be, if nobody can read it."""
    graded = GradedNotebook.read(course.autograded(submission))
    if graded.unavailable or not graded.handed_in:  # or an earlier version of the course graded it
        return bool(graded.unavailable or graded.verdicts)
    try:
        raw = notebook_bytes(course.submitted, submission.path.relative_to(course.submitted).parts)
    except UnavailableNotebookError:
        return True
    except UnreadableNotebookError:
        raw = b""
    return bool(graded.handed_in == file_digest(raw))


def _unless_refused(action: Callable[[], None]) -> None:
    try:
        action()
    except OSError as error:
        if not is_refused(error):
            raise
