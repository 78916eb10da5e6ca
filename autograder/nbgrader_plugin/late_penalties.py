"""nbgrader's step that assigns late penalties, based only on the time that comes with the current submission.

A submission that replaces an earlier one may have no time, or an unreadable one. nbgrader then keeps the time and the
penalty of the earlier one. Here the time becomes unknown, and nbgrader counts an unknown time as in time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties

from autograder.notebooks.submission_files import time_of

IN_TIME = "the time of submission is unknown, and it counts as in time"


class AssignPenalties(AssignLatePenalties):
    """nbgrader's step, which first deletes the time of an earlier submission."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Assign one notebook's late penalty."""
        about = resources["nbgrader"]
        found = time_of(self._submitted(), (about["student"], about["assignment"]))
        with Gradebook(about["db_url"]) as gradebook:
            row = gradebook.find_submission(about["assignment"], about["student"])
            if found.time is None and row.timestamp is not None:
                self.log.warning("%s: %s: %s", about["student"], found.why, IN_TIME)
                row.timestamp = None
                gradebook.db.commit()
        assigned: tuple[NotebookNode, dict[str, Any]] = super().preprocess(nb, resources)
        return assigned

    def _submitted(self) -> Path:
        """Return the folder of all submissions; the step has no parent in a class run, which has no converter."""
        course = CourseDirectory(config=self.config) if self.parent is None else self.parent.parent.coursedir
        return Path(course.format_path(course.submitted_directory, ".", ".")).resolve()
