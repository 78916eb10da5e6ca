"""The third stage: nbgrader's own conversion, with the outputs that the workers made.

Rows, late penalties, copied files and notes are nbgrader's work and stay so. What is ours is that it need not
wait: one engine for the whole run instead of eight a submission, and no cell is executed here.
"""

from __future__ import annotations

import dataclasses
import logging
import os
import sys
from collections.abc import Callable
from typing import Any
from unittest import mock

import nbformat
from nbformat import NotebookNode
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets.config import Config

from autograder.classroom.course import Course
from autograder.classroom.database import lasts, patiently
from autograder.classroom.engine import Troubles
from autograder.classroom.errors import CourseError, RaceError
from autograder.classroom.job import Outcome
from autograder.grader.fingerprint import identity, unreadable
from autograder.grader.outputs import not_a_check
from autograder.nbgrader_plugin.points_by_hand import SaveScores
from autograder.nbgrader_plugin.reasons import reason
from autograder.notebooks.reading import task_of_grade_cell

EXECUTION = "autograder.nbgrader_plugin.execution.Grade"
REPLACED = "it was replaced by another version while it was graded: run the same command again"


@dataclasses.dataclass(frozen=True)
class Graded:
    """What is to be written of a notebook.

    Attributes:
        outcome: what the workers made of it.
        identity: of the file as it was then.
    """

    outcome: Outcome
    identity: bytes


class StoredOutputs(NbGraderPreprocessor):
    """In the place of the execution step: a submission's outputs are there already."""

    ready: dict[str, Graded] = {}  # noqa: RUF012  (by the notebook's name; one submission at a time)
    replaced = False

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Write each task's verdict into its grade cell, and the other outputs in their order.

        A grade cell never stays empty: nbgrader gives an empty one full points.
        """
        graded = self.ready[resources["nbgrader"]["notebook"]]
        if identity(nb.cells, unreadable(nb)) != graded.identity:
            StoredOutputs.replaced = True
            raise NbGraderException(REPLACED)
        outcome = graded.outcome
        others = []
        for cell in nb.cells:
            if cell.cell_type == "code" and (task := task_of_grade_cell(cell)) is not None:
                outputs = outcome.displays.get(task, [not_a_check()])
                cell.outputs = [nbformat.from_dict(output) for output in outputs]
            elif cell.cell_type == "code":
                others.append(cell)
        if outcome.outputs:  # nothing was run where the file could not be read
            for cell, (outputs, count) in zip(others, outcome.outputs, strict=True):
                cell.outputs = [nbformat.from_dict(output) for output in outputs]
                cell.execution_count = count
        return nb, resources


class Writer:
    """Writes outcomes into the gradebook and `autograded`, one submission after the other."""

    def __init__(self, course: Course, say: Callable[[str], None], troubles: Troubles) -> None:
        """
        Args:
            course: the course.
            say: told when the database keeps this run waiting.
            troubles: the database's.
        """
        self.course, self.say, self.troubles = course, say, troubles
        self.config = Config(course.config)
        steps = course.config.Autograde.get("autograde_preprocessors", [])
        self.config.TolerantExporter.prepares = False
        own = f"{StoredOutputs.__module__}.{StoredOutputs.__name__}"
        self.config.Autograde.autograde_preprocessors = [own if step == EXECUTION else step for step in steps]

    def write(self, student: str, assignment: str, graded: dict[str, Graded]) -> list[str]:
        """Convert one student's submission of an assignment; what was there before is replaced.

        Args:
            student, assignment: whose and which.
            graded: what is written, by the name of the notebook.

        Returns:
            What was given by hand and needs a look, with the reason.

        Raises:
            NbGraderException: where nbgrader refuses it, or it is not what was graded any more.
            CourseError: where the database stays away, or the disk full.
        """
        StoredOutputs.ready, StoredOutputs.replaced = graded, False
        directory = self.course.directory
        directory.student_id, directory.assignment_id = student, assignment
        SaveScores.asked = []  # a configuration may name another step
        patiently(self._convert, self.say, lambda error: self.troubles.last, self.course.disks)
        return SaveScores.asked

    def keep(self, action: Callable[[], None]) -> None:
        """Do something that writes a file; again, once there is room for it.

        Raises:
            CourseError: where the disk stays full.
        """
        patiently(action, self.say, places=self.course.disks)

    def _convert(self) -> None:
        self.troubles.forget()
        converter = Autograde(coursedir=self.course.directory, config=self.config, force=True)
        failure = _Failure()
        converter.log.setLevel(logging.ERROR)
        converter.log.addFilter(failure)
        try:
            with mock.patch.dict(os.environ):  # nbgrader sets a variable there, and leaves it where a step fails
                converter.start()
        except NbGraderException:
            if StoredOutputs.replaced:
                raise NbGraderException(REPLACED) from None
            cause = self.troubles.last or failure.error
            if cause is None:
                raise
            if isinstance(cause, FileNotFoundError):
                raise RaceError(reason(cause)) from cause
            if lasts(cause):
                raise CourseError(reason(cause)) from cause
            raise NbGraderException(reason(cause)) from cause
        finally:
            converter.log.removeFilter(failure)


class _Failure(logging.Filter):
    """Keeps the exception that nbgrader logs the traceback of, and keeps the log silent."""

    error: BaseException | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        self.error = sys.exc_info()[1] or self.error
        return False
