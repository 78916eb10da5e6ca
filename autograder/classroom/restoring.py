"""Rows that do not hold what was graded, written again from the graded notebook: nothing is run, nothing judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades

from autograder.classroom.course import Course, Submission
from autograder.classroom.database import patiently
from autograder.classroom.engine import Troubles
from autograder.classroom.late_penalties import QUIET, steps
from autograder.grader.graded_notebook import verdicts_in
from autograder.nbgrader_plugin.points_by_hand import SaveScores
from autograder.nbgrader_plugin.ungraded_cells import LeaveUngraded


def holds(path: Path, verdicts: list[dict]) -> bool:
    """Whether a graded notebook holds these verdicts, and so these points."""
    there = {task: verdict["points"] for task, verdict in verdicts_in(path).items()}
    return there == {verdict["task"]: verdict["points"] for verdict in verdicts}


class Restorer:
    """Lets nbgrader's own steps write a row anew."""

    def __init__(self, course: Course, say: Callable[[str], None], troubles: Troubles) -> None:
        """
        Args:
            course: the course.
            say: told when the database keeps this run waiting.
            troubles: the database's.
        """
        self.course, self.say, self.troubles = course, say, troubles

    def scores(self, submission: Submission, timestamp: str) -> list[str]:
        """Write time, scores, comments and late penalty of a submission whose graded notebook is there.

        Args:
            submission: whose.
            timestamp: as its file says; empty where it says nothing.

        Returns:
            What was given by hand and needs a look, with the reason.

        Raises:
            CourseError: where the database stays away, or the disk full.
        """
        notebook = nbformat.read(self.course.autograded(submission), as_version=4)

        def write() -> None:
            with Gradebook(self.course.directory.db_url, self.course.directory.course_id) as gradebook:
                gradebook.update_or_create_student(submission.student)
                time = {"timestamp": timestamp} if timestamp else {}
                gradebook.update_or_create_submission(submission.assignment, submission.student, **time)
            self._take(SaveAutoGrades, submission, notebook)
            self._take(LeaveUngraded, submission, notebook)
            self._take(AssignLatePenalties, submission, notebook)

        SaveScores.asked = []
        self._patiently(write)
        return SaveScores.asked

    def penalty(self, submission: Submission) -> None:
        """Assign the late penalty of a submission anew.

        Raises:
            CourseError: where the database stays away.
        """
        self._patiently(lambda: self._take(AssignLatePenalties, submission, nbformat.v4.new_notebook()))

    def _patiently(self, write: Callable[[], None]) -> None:
        self.troubles.forget()
        patiently(write, self.say, lambda error: self.troubles.last, self.course.disks)

    def _take(self, kind: type, submission: Submission, notebook: NotebookNode) -> None:
        """Take the configured steps of a kind."""
        names = {
            "student": submission.student,
            "assignment": submission.assignment,
            "notebook": submission.notebook,
            "db_url": self.course.directory.db_url,
        }
        for step in steps(self.course.config, kind):
            step(config=self.course.config, log=QUIET).preprocess(notebook, {"nbgrader": names})
