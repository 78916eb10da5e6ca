"""A class that has handed in, and is graded in the test's own process; the fixtures are in conftest.py."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.classroom.course import Course
from autograder.classroom.done import Done
from autograder.classroom.executors import Backend
from autograder.classroom.job import JobResult
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from tests.course import hand_in, hand_out, made_once, new_course
from tests.submissions import as_bytes, released, solved

EXERCISE = "01_scalar_graphs"
SWAPPED = "def partials(x, w, b):\n    return {'x': x, 'w': w, 'b': 1.0, 'u': 1.0, 'v': 1.0}\n"
CLASS: dict[str, bytes] = {
    "student-01": as_bytes(solved(EXERCISE)),
    "student-02": as_bytes(released(EXERCISE)),
    "student-03": as_bytes(solved(EXERCISE, partials=SWAPPED)),
    "student-04": b"{ not a notebook",
    "student-05": as_bytes(solved(EXERCISE, path_sum="import os\nos._exit(3)\n")),
}
NOTE = "Late work is welcome.\n"


class Here(Executor):
    """Runs each job at once, in this process; it is its own backend."""

    lost = (BrokenExecutor,)
    when_lost = "starting others"

    @classmethod
    def open(cls) -> Executor:
        return cls()

    @staticmethod
    def leave(executor: Executor) -> None:
        pass

    @staticmethod
    def capacity() -> int:
        return 2

    def submit(self, function: Callable, /, *args: Any, **kwargs: Any) -> Future:
        future: Future = Future()
        future.set_result(function(*args, **kwargs))
        return future


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


class Nobody(Here):
    """A backend that may not be used."""

    @classmethod
    def open(cls) -> Executor:
        raise AssertionError("a job was handed out")


def run_class(
    course: Path, place: Backend = Here, say: Callable[[str], None] = print, **options: Any
) -> dict[str, Done]:
    """Grade the class in this process; what became of each student."""
    with inside(course):
        run = ClassRun(Course(), RunOptions(**options), place)
        return {done.submission.student: done for done in run.grade(EXERCISE, say)}


def outputs_of(result: JobResult) -> list[list[Any]]:
    """The outputs of each code cell that is not a grade cell, in order."""
    cells = json.loads(result.notebook)["cells"]
    graded = [cell["metadata"].get("nbgrader", {}).get("grade") for cell in cells]
    return [
        cell["outputs"]
        for cell, is_graded in zip(cells, graded, strict=True)
        if cell["cell_type"] == "code" and not is_graded
    ]


def class_that_handed_in(folder: Path) -> Path:
    """A course with a class that has handed in and is not graded."""
    course = new_course(folder)
    for student, notebook in CLASS.items():
        hand_in(course, student, EXERCISE, notebook)
    (hand_in(course, "student-01", EXERCISE, CLASS["student-01"]) / "notes.txt").write_text(NOTE)
    hand_out(course)
    return course


def graded_class(folder: Path) -> None:
    """Fill a folder with the course of `class_that_handed_in`, graded by a class run."""
    shutil.copytree(made_once("handed_in", class_that_handed_in), folder)
    run_class(folder)


def copy_of(course: Path, folder: Path) -> Path:
    shutil.copytree(course, folder / "course")
    return folder / "course"
