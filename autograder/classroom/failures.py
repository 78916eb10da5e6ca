"""Failed submissions: their earlier scores stop counting, and the reason is kept.

The graded notebook is removed, as nbgrader does when a conversion fails: the formgrader then shows the
submission as not graded, and the next run grades it. A place where nothing may be written keeps what it holds:
the run has said why.
"""

from __future__ import annotations

from collections.abc import Callable

from autograder.classroom.course import Course
from autograder.classroom.done import Done
from autograder.classroom.store import Store
from autograder.whole_files import is_refused, remove


def note_failure(course: Course, store: Store, done: Done) -> None:
    """Keep why a submission failed; remove its result and its graded notebook."""
    graded = course.autograded(done.submission).parent
    _unless_refused(lambda: store.forget(done.submission))
    _unless_refused(lambda: store.keep_failure(done.submission, done.reason.strip().splitlines()[-1]))
    if graded.exists():
        _unless_refused(lambda: remove(graded))


def _unless_refused(action: Callable[[], None]) -> None:
    try:
        action()
    except OSError as error:
        if not is_refused(error):
            raise
