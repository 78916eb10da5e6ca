"""Find a course's exercises and tasks from its folders alone, without importing a task or loading PyTorch.

COURSE/EXERCISE/_tasks/exercise.toml    names the tasks, in order
COURSE/EXERCISE/_tasks/TASK/            holds one task: all of FILES
"""

from __future__ import annotations

import dataclasses
import functools
import os
from pathlib import Path

import autograder
from autograder.tasks.tables import TaskFolderError, read_table

COURSE = "AUTOGRADER_COURSE"
"""The environment variable that names another course's folder."""
TASKS = "_tasks"
FILES = ("statement.md", "solution.py", "task.py", "cases.toml", "answers.py", "hints.toml")
KEYS = {"version": int, "tasks": list}
OPTIONAL = {"setup": str}
SETUP = "from autograder import check, draw, hint"
ABOUT = ("exercise.toml", "opening.md", "closing.md")
"""Files of the exercise, beside its tasks' folders."""
CACHE = "__pycache__"
WORK = "work"
"""The folder in which students work, inside the course's."""
COPY = "_exercise"
"""What a student's copy is called besides the exercise, so that it is not taken for the lesson of the same name."""


@dataclasses.dataclass(frozen=True)
class ExerciseFolder:
    """The `_tasks` folder of an exercise.

    Attributes:
        name: the exercise's: "01_doubling".
        path: its `_tasks`.
        version: of the released notebook; each submission carries the version that it was made from.
        tasks: names of the tasks, in the order of the notebook.
        setup: the source of the notebook's first code cell.
    """

    name: str
    path: Path
    version: int
    tasks: tuple[str, ...]
    setup: str = SETUP


def course_folder() -> Path:
    """Return the course's folder: the one that the environment names, else the package's own.

    In a wheel that is part of the package; in a checkout it is beside it.
    """
    if named := os.environ.get(COURSE):
        return Path(named).resolve()
    package = Path(autograder.__file__).resolve().parent
    packed = package / "course"
    return packed if packed.is_dir() else package.parent / "solutions"


def exercises() -> tuple[str, ...]:
    """Return the names of all exercises that have tasks, in order."""
    return tuple(_exercises(course_folder()))


def exercise_of(notebook: str) -> str:
    """Return the name of the exercise that a notebook holds, by the name of its file.

    Args:
        notebook: the file's name without ".ipynb": an exercise's own, or that of a student's copy.
    """
    return notebook if notebook in exercises() else notebook.removesuffix(COPY)


def exercise_folder(name: str) -> ExerciseFolder | None:
    """Find an exercise; None if it is not the course's, such as an instructor's own notebook.

    Raises:
        TaskFolderError: if one of the course's folders cannot be used.
    """
    return _exercises(course_folder()).get(name)


def known_exercise(name: str) -> ExerciseFolder:
    """Find an exercise that must be the course's.

    Raises:
        LookupError: if there is no such exercise.
        TaskFolderError: if one of the course's folders cannot be used.
    """
    if (folder := exercise_folder(name)) is None:
        raise LookupError(f"there is no exercise {name!r}; there are {', '.join(exercises())}")
    return folder


def task_folders() -> dict[str, Path]:
    """Find the folder of every task, by name.

    Raises:
        TaskFolderError: if one of the course's folders cannot be used, or two tasks have the same name.
    """
    return _folders(course_folder())


@functools.cache
def _folders(course: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for exercise in _exercises(course).values():
        for task in exercise.tasks:
            if task in found:
                raise TaskFolderError(f"two tasks are called {task}: {found[task]} and {exercise.path / task}")
            found[task] = exercise.path / task
    return found


@functools.cache
def _exercises(course: Path) -> dict[str, ExerciseFolder]:
    return {path.parent.name: read_exercise(path) for path in sorted(course.glob(f"*/{TASKS}"))}


def read_exercise(path: Path) -> ExerciseFolder:
    """Read an exercise's folder and check that all files of its tasks are there.

    Args:
        path: the exercise's `_tasks`.

    Raises:
        TaskFolderError: if a file is missing, a key is unknown or has a value of the wrong type, or a folder is not
            listed as a task.
    """
    for name in ABOUT:
        if not (path / name).is_file():
            raise TaskFolderError(f"{path} lacks {name}")
    file = path / "exercise.toml"
    given = read_table(file, KEYS, OPTIONAL)
    tasks = tuple(given["tasks"])
    for task in tasks:
        for name in FILES:
            if not (path / task / name).is_file():
                raise TaskFolderError(f"{path / task} lacks {name}")
    for folder in path.iterdir():
        if folder.is_dir() and folder.name not in {*tasks, CACHE} and not _is_left_over(folder):
            raise TaskFolderError(f"{file} does not name {folder.name} among its tasks")
    return ExerciseFolder(path.parent.name, path, given["version"], tasks, given.get("setup", SETUP))


def _is_left_over(folder: Path) -> bool:
    """Whether a folder holds nothing but Python's cache: git removes the files of a task that is gone, and not that."""
    return [one.name for one in folder.iterdir()] == [CACHE]
