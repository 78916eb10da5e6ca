"""`autograder feedback`: nbgrader's feedback pages of an assignment, made on all cores.

Each process runs nbgrader's own conversion on its share of the students, so that a page is the same to the byte as
that of `nbgrader generate_feedback`; a test compares them.
"""

from __future__ import annotations

import argparse
import dataclasses
import logging
import multiprocessing
import os
import signal
import sys
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from pathlib import Path

from nbgrader.converters import GenerateFeedback
from nbgrader.converters.base import NbGraderException

from autograder.classroom.course import Course
from autograder.classroom.errors import CourseError
from autograder.gradebook_access.reasons import reason
from autograder.terminal import Terminal, complain


@dataclasses.dataclass(frozen=True)
class Made:
    """What became of a share.

    Attributes:
        students: how many have new pages.
        said: warnings about pages whose score is not final, and the like.
        failed: why students have none, a sentence each.
    """

    students: int
    said: list[str]
    failed: list[str]


class Share(GenerateFeedback):  # type: ignore[misc]  # nbgrader has no types
    """nbgrader's conversion of one share of the students' notebooks."""

    assignments: dict[str, list[str]]  # from nbgrader: by folder, the notebooks in it
    share = slice(None)

    def init_notebooks(self) -> None:
        """Find all notebooks, and keep this share."""
        super().init_notebooks()
        self.assignments = {name: self.assignments[name] for name in sorted(self.assignments)[self.share]}


class _Said(logging.Filter):
    """Keeps what the project's own steps warn of, and the exceptions that nbgrader logs; prints nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.warnings, self.failures, self.refusal = list[str](), list[str](), ""

    def filter(self, record: logging.LogRecord) -> bool:
        error = sys.exc_info()[1]
        if record.levelno >= logging.ERROR and error is not None and record.args:
            (folder, *_) = record.args  # .../student/assignment
            self.failures.append(f"{Path(str(folder)).parent.name}: {reason(error)}")
        elif record.levelno >= logging.ERROR:
            self.refusal = self.refusal or record.getMessage()
        elif record.levelno >= logging.WARNING and "autograder" in record.name + record.pathname:
            self.warnings.append(record.getMessage())
        return False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `autograder feedback`."""
    parser.add_argument("assignment")
    parser.add_argument("--workers", type=int, default=None, help="how many at a time; one per core where left out")


def make_feedback(options: argparse.Namespace) -> int:
    """Run `autograder feedback`.

    Returns:
        0; 1 if a student's page could not be made, 2 if none could.
    """
    count = options.workers or len(os.sched_getaffinity(0))
    context = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
    context.set_forkserver_preload([__name__])
    try:
        with ProcessPoolExecutor(count, context, initializer=_begin) as pool:
            made = list(pool.map(_pages, [options.assignment] * count, range(count), [count] * count))
    except (CourseError, NbGraderException, BrokenExecutor) as error:
        complain("autograder feedback", error)
        return 2
    console = Terminal()
    said = dict.fromkeys(sentence for one in made for sentence in one.said)  # some are about the course, from each
    console.lines(sorted(said))
    failed = [sentence for one in made for sentence in one.failed]
    console.lines(f"No page for {sentence}" for sentence in failed)
    console.print(f"{options.assignment}: pages of {sum(one.students for one in made)} students, {len(failed)} failed")
    return 1 if failed else 0


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the process ends; the command says so


def _pages(assignment: str, number: int, of: int) -> Made:
    """Make the pages of one share.

    Raises:
        CourseError: if there is no course here.
        NbGraderException: if nbgrader makes no page for anybody.
    """
    course, said = Course(), _Said()
    course.directory.assignment_id = assignment
    converter = Share(coursedir=course.directory, config=course.config)
    converter.share = slice(number, None, of)
    converter.log.addFilter(said)
    try:
        converter.start()
    except NbGraderException as error:
        if not said.failures:
            raise NbGraderException(said.refusal or str(error)) from error
    finally:
        converter.log.removeFilter(said)
    return Made(len(converter.assignments) - len(said.failures), said.warnings, said.failures)
