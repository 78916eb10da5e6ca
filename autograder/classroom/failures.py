"""A submission that could not be graded: its earlier scores stop counting, and the reason is kept.

As nbgrader does where its own conversion fails, the graded notebook goes: the formgrader shows the submission as not
graded then, and the next run grades it.
"""

from __future__ import annotations

from autograder.classroom.course import Course
from autograder.classroom.done import Done
from autograder.classroom.store import Store
from autograder.classroom.student_data import remove


def note_failure(course: Course, store: Store, done: Done) -> None:
    """Keep why a submission failed; withdraw its result and its graded notebook."""
    store.forget(done.submission)
    store.keep_failure(done.submission, done.reason.strip().splitlines()[-1])
    if (graded := course.autograded(done.submission).parent).exists():
        remove(graded)
