"""The third stage of class grading: nbgrader's own conversion, given the outputs that the workers made.

nbgrader still writes rows, late penalties, copied files and notes. It is faster here because it executes no cell and
uses one database engine for the whole run instead of eight a submission.
"""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets.config import Config

from autograder.classroom.course import Course
from autograder.classroom.database import is_unusable, retry
from autograder.classroom.database_engine import DatabaseErrors
from autograder.classroom.errors import CourseError, RaceError
from autograder.classroom.job import JobResult
from autograder.classroom.row_writer import RowWriter
from autograder.gradebook_access.reasons import reason
from autograder.grader.fingerprint import identity, unreadable
from autograder.grader.sandbox_outputs import not_a_check
from autograder.nbgrader_plugin.points_by_hand import SaveScores
from autograder.notebooks.reading import task_of_grade_cell

EXECUTION = "autograder.nbgrader_plugin.execution.Grade"
REPLACED = "it was replaced by another version while it was graded: run the same command again"


@dataclasses.dataclass(frozen=True)
class Graded:
    """A graded notebook that is to be written.

    Attributes:
        result: the worker's.
        identity: of the file that was graded.
    """

    result: JobResult
    identity: bytes


class StoredOutputs(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has no types
    """A step that stands in for execution: it writes the outputs that a worker made."""

    ready: dict[str, Graded] = {}  # noqa: RUF012  (by notebook, of one submission at a time)
    replaced = False

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Write each task's verdict into its grade cell, and the other outputs into the code cells in order.

        No grade cell stays empty, because nbgrader gives an empty one full points.
        """
        exercise = resources["nbgrader"]["notebook"]
        graded = self.ready[exercise]
        if identity(nb.cells, unreadable(nb)) != graded.identity:
            StoredOutputs.replaced = True
            raise NbGraderException(REPLACED)
        result = graded.result
        others = []
        for cell in nb.cells:
            if cell.cell_type == "code" and (task := task_of_grade_cell(cell)) is not None:
                outputs = result.displays.get(task, [not_a_check(exercise)])
                cell.outputs = [nbformat.from_dict(output) for output in outputs]
            elif cell.cell_type == "code":
                others.append(cell)
        if result.outputs:  # a file that could not be read was not run
            for cell, (outputs, count) in zip(others, result.outputs, strict=True):
                cell.outputs = [nbformat.from_dict(output) for output in outputs]
                cell.execution_count = count
        return nb, resources


class Writer(RowWriter):
    """Writes results into the gradebook and `autograded`, one submission after the other."""

    def __init__(self, course: Course, say: Callable[[str], None], errors: DatabaseErrors) -> None:
        super().__init__(course, say, errors)
        self.config = Config(course.config)
        steps = course.config.Autograde.get("autograde_preprocessors", [])
        self.config.TolerantExporter.prepares = False
        own = f"{StoredOutputs.__module__}.{StoredOutputs.__name__}"
        self.config.Autograde.autograde_preprocessors = [own if step == EXECUTION else step for step in steps]

    def write(self, student: str, assignment: str, graded: dict[str, Graded]) -> list[str]:
        """Convert one student's submission of an assignment, and replace its earlier row and files.

        Args:
            student, assignment: their names.
            graded: by the notebook's name, what to write.

        Returns:
            Tasks whose manual points somebody should look at, with the reason.

        Raises:
            NbGraderException: if nbgrader refuses the submission, or the file has changed since it was graded.
            CourseError: if the database stays away or the disk stays full.
        """
        StoredOutputs.ready, StoredOutputs.replaced = graded, False
        directory = self.course.directory
        directory.student_id, directory.assignment_id = student, assignment
        SaveScores.asked = []  # also if the configuration names another step
        self.retry(self._convert)
        return SaveScores.asked

    def keep(self, action: Callable[[], None]) -> None:
        """Run an action that writes a file, and repeat it while the disk is full.

        Raises:
            CourseError: if the disk stays full.
        """
        retry(action, self.say, places=self.course.disks)

    def _convert(self) -> None:
        converter = Autograde(coursedir=self.course.directory, config=self.config, force=True)
        failure = _Failure()
        level = converter.log.level  # of a logger that outlives the converter: "traitlets" or the application's
        converter.log.setLevel(logging.ERROR)
        converter.log.addFilter(failure)
        try:
            with _restored_environment():
                converter.start()
        except NbGraderException:
            if StoredOutputs.replaced:
                raise NbGraderException(REPLACED) from None
            cause = self.errors.last or failure.error
            if cause is None:
                raise
            if isinstance(cause, FileNotFoundError):
                raise RaceError(reason(cause)) from cause
            if is_unusable(cause):
                raise CourseError(reason(cause)) from cause
            raise NbGraderException(reason(cause)) from cause
        finally:
            converter.log.removeFilter(failure)
            converter.log.setLevel(level)


@contextlib.contextmanager
def _restored_environment() -> Iterator[None]:
    """Restore the environment variables after the block, because nbgrader leaves its own set if a step fails."""
    before = dict(os.environ)
    try:
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


class _Failure(logging.Filter):
    """A filter that silences nbgrader's log and keeps the exception whose traceback it logs."""

    error: BaseException | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        self.error = sys.exc_info()[1] or self.error
        return False
