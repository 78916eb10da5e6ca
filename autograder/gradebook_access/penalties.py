"""Late penalties, computed today by the plug-in that nbgrader_config.py names."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import SubmittedNotebook
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config
from traitlets.utils.importstring import import_item

QUIET = logging.getLogger("autograder.steps")
QUIET.setLevel(logging.CRITICAL)
"""A silent logger for nbgrader's steps outside a conversion, because they log a line for each late submission."""


def configured_steps(config: Config, kind: type) -> list[type[Any]]:
    """List the configured steps of autograding that are subclasses of `kind`, in order."""
    named = Autograde(config=config).autograde_preprocessors
    classes = [import_item(step) if isinstance(step, str) else step for step in named]
    return [step for step in classes if isinstance(step, type) and issubclass(step, kind)]


def settings_of(course: CourseDirectory) -> Config:
    """Return a course's configuration: its parent's, as nbgrader reads nbgrader_config.py after making it."""
    config: Config = course.config if course.parent is None else course.parent.config
    return config


class LatePenalties:
    """The late penalties of one assignment; all None if no configured step of autograding assigns any."""

    def __init__(self, config: Config, assignment: str) -> None:
        self._steps = [step(config=config, log=QUIET) for step in configured_steps(config, AssignLatePenalties)]
        for step in self._steps:
            step.assignment_id = assignment
            step.init_plugin()

    def for_times(
        self,
        student: str,
        score: float,
        timestamp: datetime | None,
        duedate: datetime | None,
        extension: timedelta | None,
    ) -> float | None:
        """Compute the penalty that nbgrader would assign today, from the times that it stores; None for no penalty.

        Args:
            student: the student's id.
            score: the score of the submitted notebook, in points.
            timestamp: the time of submission; None if it is unknown.
            duedate: the assignment's due date; None if it has none.
            extension: the extension in nbgrader's gradebook.
        """
        if timestamp is None or duedate is None:
            return None
        return self.for_lateness(student, score, (timestamp - duedate - (extension or timedelta())).total_seconds())

    def for_notebook(self, row: SubmittedNotebook) -> float | None:
        """Compute today's penalty for a submitted notebook from nbgrader's row; None for no penalty."""
        submission = row.assignment
        known = submission.timestamp, submission.assignment.duedate, submission.extension
        return self.for_times(submission.student.id, row.score, *known)

    def for_lateness(self, student: str, score: float, seconds_late: float) -> float | None:
        """Compute the points to take off, between 0 and the score as in nbgrader; None for no penalty.

        Args:
            student: the student's id.
            score: the score of the submitted notebook, in points.
            seconds_late: seconds after the due date and nbgrader's own extension; not positive if in time.
        """
        penalty: Any = None
        for step in self._steps if seconds_late > 0 else []:
            penalty = step.plugin_inst.late_submission_penalty(student, score, seconds_late)
        return None if penalty is None else min(max(penalty, 0.0), score)
