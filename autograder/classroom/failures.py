"""Failed submissions: their earlier scores stop counting, and the reason is kept.

The graded notebook is removed, as nbgrader does when a conversion fails: the formgrader then shows the
submission as not graded, and the next run grades it.
"""

from __future__ import annotations

from autograder.classroom.course import Course
from autograder.classroom.done import Done
from autograder.classroom.store import Store
from autograder.whole_files import remove


def note_failure(course: Course, store: Store, done: Done) -> None:
    """Keep why a submission failed; remove its result and its graded notebook."""
    store.forget(done.submission)
    store.keep_failure(done.submission, done.reason.strip().splitlines()[-1])
    if (graded := course.autograded(done.submission).parent).exists():
        remove(graded)
