"""Apply the course file in nbgrader's steps: tailor what students get, and name what no longer fits the file.

`nbgrader generate_assignment` reads the whole notebook from `solutions`, which git keeps, and writes the tailored one
to `release`, which git does not keep, so that `git pull` never stops at it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.notebooks.reading import UnreadableNotebookError, read_submission
from autograder.notebooks.weights import weights
from autograder.tasks.course_file import COURSE_FILE
from autograder.tasks.folders import course_file, exercise_folder, exercises, is_left_out, left_out, whole_exercise
from autograder.tasks.tables import TaskFolderError


class ChosenExporter(NotebookExporter):
    """The exporter of `nbgrader generate_assignment`, which drops exercises that the course file leaves out."""

    def __init__(self, **kwargs: Any) -> None:
        """
        Raises:
            NbGraderException: if no assignment is left; the reason is logged.
        """
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]  # nbconvert is typed in part
        converter: Any = self.parent  # nbgrader's, which is about to generate these, and to write rows for them
        found = {Path(folder).name: folder for folder in getattr(converter, "assignments", {})}
        dropped = [name for name in sorted(found) if is_left_out(name)]
        for name in dropped:
            converter.assignments.pop(found[name])
        if dropped and not converter.assignments:
            converter.log.error("Not generated: %s", said := left_out(dropped[0]))
            raise NbGraderException(said)


class Tailor(NbGraderPreprocessor):
    """The first step of `nbgrader generate_assignment`: leaves out, rearranges and weights tasks by the course file."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Tailor one notebook."""
        name = resources["nbgrader"]["notebook"]
        whole, chosen = whole_exercise(name), exercise_folder(name)
        if course_file() is None or whole is None or chosen is None:
            return nb, resources
        from autograder.authoring.tailored_notebook import tailor  # few commands make notebooks

        for remark in tailor(nb, chosen, whole):
            self.log.warning("%s: %s", name, remark)
        return nb, resources


def require_course_file() -> None:
    """Print an error and exit if there is a course file and it cannot be used."""
    if course_file() is not None:
        try:
            exercises()
        except TaskFolderError as error:
            print(error, file=sys.stderr)
            sys.exit(2)


def notes_on_choice(course: CourseDirectory, assignments: Collection[str]) -> Iterator[str]:
    """Say what was released or is in the gradebook and does not fit the course file, one sentence each.

    Args:
        course: the course.
        assignments: the names of the gradebook's assignments.
    """
    if course_file() is None:
        return
    for name in sorted(assignments):
        if is_left_out(name):
            yield (
                f"{name} is in the gradebook, but {COURSE_FILE} leaves it out, and so do tables and exports; "
                f"`nbgrader db assignment remove {name}` removes it from the formgrader too, with all its scores"
            )
    for name in exercises():
        if not _is_as_chosen(Path(course.format_path(course.release_directory, ".", name), f"{name}.ipynb"), name):
            yield (
                f"{COURSE_FILE} was changed after {name} was generated: run `nbgrader generate_assignment {name} "
                "--force` and release it again"
            )


def _is_as_chosen(released: Path, name: str) -> bool:
    """Tell whether a released notebook has the chosen tasks, in their order and with their points."""
    folder, whole = exercise_folder(name), whole_exercise(name)
    if folder is None or whole is None or not released.is_file():
        return True
    try:
        worth = weights(read_submission(released.read_bytes()).cells)
    except (OSError, UnreadableNotebookError):
        return True  # other sentences say so
    changed = any(not math.isclose(worth.get(task, points), points) for task, points in folder.points.items())
    return not changed and tuple(task for task in worth if task in whole.tasks) == folder.tasks
