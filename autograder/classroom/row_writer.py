"""Base class of all that writes gradebook rows: it waits for the database and for room on a disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nbgrader.api import Gradebook, MissingEntry

from autograder.classroom.course import Course, Submission
from autograder.classroom.database import retry
from autograder.classroom.database_engine import DatabaseErrors

Result = TypeVar("Result")


class RowWriter:
    """Writes rows of one course; used within `shared_engine`."""

    def __init__(self, course: Course, say: Callable[[str], None], errors: DatabaseErrors) -> None:
        """
        Args:
            course: the course.
            say: called with a sentence when the run waits for the database or a disk.
            errors: a record of the database's errors.
        """
        self.course, self.say, self.errors = course, say, errors

    def retry(self, action: Callable[[], Result]) -> Result:
        """Run an idempotent action, and repeat it while the database or a disk is temporarily unusable.

        Raises:
            CourseError: if the database stays away or the disk stays full.
        """

        def attempt() -> Result:
            self.errors.forget()
            return action()

        return retry(attempt, self.say, lambda error: self.errors.last, self.course.disks)

    def penalty_of(self, submission: Submission) -> float | None:
        """Return the late penalty in a submission's row, or None.

        Raises:
            CourseError: if the database stays away.
        """

        def read() -> float | None:
            names = submission.notebook, submission.assignment, submission.student
            with Gradebook(self.course.directory.db_url, self.course.directory.course_id) as gradebook:
                try:
                    penalty: float | None = gradebook.find_submission_notebook(*names).late_submission_penalty
                except MissingEntry:
                    return None
            return penalty

        return self.retry(read)
