"""The third stage: nbgrader's own conversion, with the outputs that the workers made.

Rows, late penalties, copied files and notes are nbgrader's work and stay so. What is ours is that it need not
wait: one engine for the whole run instead of eight a submission, and no cell is executed here.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import nbformat
import nbgrader.api
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor
from sqlalchemy import Engine, create_engine
from sqlalchemy.exc import OperationalError
from traitlets.config import Config

from autograder.classroom.course import Course
from autograder.classroom.job import Outcome
from autograder.grader.outputs import not_a_check
from autograder.notebooks.reading import task_of_grade_cell

EXECUTION = "autograder.nbgrader_plugin.execution.Grade"
PATIENCE_SECONDS = 600.0
"""How long to wait for another program that holds the database's lock."""


class StoredOutputs(NbGraderPreprocessor):
    """In the place of the execution step: a submission's outputs are there already."""

    ready: dict[str, Outcome] = {}  # noqa: RUF012  (notebook's name to outcome; one submission at a time)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Write each task's verdict into its grade cell, and the other outputs in their order.

        A grade cell never stays empty: nbgrader gives an empty one full points.
        """
        outcome = self.ready[resources["nbgrader"]["notebook"]]
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

    def __init__(self, course: Course, say: Callable[[str], None]) -> None:
        """
        Args:
            course: the course.
            say: told when another program keeps this one waiting.
        """
        self.course, self.say = course, say
        self.config = Config(course.config)
        steps = course.config.Autograde.get("autograde_preprocessors", [])
        own = f"{StoredOutputs.__module__}.{StoredOutputs.__name__}"
        self.config.Autograde.autograde_preprocessors = [own if step == EXECUTION else step for step in steps]

    def write(self, student: str, assignment: str, outcomes: dict[str, Outcome]) -> None:
        """Convert one student's submission of an assignment; what was there before is replaced.

        Args:
            student, assignment: whose and which.
            outcomes: by the name of the notebook.

        Raises:
            NbGraderException: where nbgrader refuses it.
        """
        StoredOutputs.ready = outcomes
        directory = self.course.directory
        directory.student_id, directory.assignment_id = student, assignment
        patient_until = time.monotonic() + PATIENCE_SECONDS
        while True:
            converter = Autograde(coursedir=directory, config=self.config, force=True)
            converter.log.setLevel(logging.CRITICAL)
            try:
                return converter.start()
            except NbGraderException as error:
                if not isinstance(error.__context__, OperationalError) or time.monotonic() > patient_until:
                    raise
                self.say("another program holds the gradebook's lock: waiting for it")
                time.sleep(1.0)


def _patient_engine(url: str, **options: Any) -> Engine:
    """SQLAlchemy's engine, whose SQLite waits for a lock as long as a class run does, not 5 seconds."""
    if url.startswith("sqlite"):
        options["connect_args"] = {"timeout": PATIENCE_SECONDS}
    return create_engine(url, **options)


@contextlib.contextmanager
def one_engine(db_url: str) -> Iterator[None]:
    """Inside the block every `Gradebook(...)` on this database is the same open one.

    nbgrader makes a new engine for every step of every submission, and with it loses the statements that
    SQLAlchemy has compiled; most of the time of a conversion went there.
    """
    with mock.patch.object(nbgrader.api, "create_engine", _patient_engine):
        shared = Gradebook(db_url)
    with shared:

        def adopt(self: Gradebook, url: str, course_id: str = "default_course", authenticator: Any = None) -> None:
            if url != db_url:
                return original(self, url, course_id, authenticator)
            shared.db.remove()  # a session of its own, whatever became of the one before
            self.engine, self.db = shared.engine, shared.db
            self.course_id, self.authenticator = course_id, authenticator
            self.check_course(course_id=course_id)
            return None

        def release(self: Gradebook) -> None:
            self.db.remove()

        original = Gradebook.__init__
        with mock.patch.object(Gradebook, "__init__", adopt), mock.patch.object(Gradebook, "close", release):
            yield
