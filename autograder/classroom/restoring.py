"""Restore stale gradebook rows from the graded notebook, without running or judging anything."""

from __future__ import annotations

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades

from autograder.classroom.course import Submission
from autograder.classroom.row_writer import RowWriter
from autograder.gradebook_access.penalties import QUIET, configured_steps
from autograder.nbgrader_plugin.points_by_hand import SaveScores
from autograder.nbgrader_plugin.ungraded_cells import LeaveUngraded


class Restorer(RowWriter):
    """Writes a row again with nbgrader's own steps."""

    def scores(self, submission: Submission, timestamp: str) -> list[str]:
        """Write time, scores, comments and late penalty of a submission from its graded notebook.

        Args:
            submission: whose row to write.
            timestamp: when it was handed in, according to its file; empty if the file does not say.

        Returns:
            Tasks whose manual points somebody should look at, with the reason.

        Raises:
            CourseError: if the database stays away or the disk stays full.
        """
        notebook = nbformat.read(self.course.autograded(submission), as_version=4)

        def write() -> None:
            with Gradebook(self.course.directory.db_url, self.course.directory.course_id) as gradebook:
                gradebook.update_or_create_student(submission.student)
                time = timestamp or None  # None too, else nbgrader keeps the earlier hand-in's
                gradebook.update_or_create_submission(submission.assignment, submission.student, timestamp=time)
            self._take(SaveAutoGrades, submission, notebook)
            self._take(LeaveUngraded, submission, notebook)
            self._take(AssignLatePenalties, submission, notebook)

        SaveScores.asked = []
        self.retry(write)
        return SaveScores.asked

    def penalty(self, submission: Submission) -> None:
        """Assign a submission's late penalty again.

        Raises:
            CourseError: if the database stays away.
        """
        self.retry(lambda: self._take(AssignLatePenalties, submission, nbformat.v4.new_notebook()))

    def _take(self, kind: type, submission: Submission, notebook: NotebookNode) -> None:
        """Run the configured steps that are subclasses of `kind`."""
        names = {
            "student": submission.student,
            "assignment": submission.assignment,
            "notebook": submission.notebook,
            "db_url": self.course.directory.db_url,
        }
        for step in configured_steps(self.course.config, kind):
            step(config=self.course.config, log=QUIET).preprocess(notebook, {"nbgrader": names})
