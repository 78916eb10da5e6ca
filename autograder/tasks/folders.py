"""Find a course's exercises and tasks from its folders alone, without importing a task or loading PyTorch.

COURSE/EXERCISE/_tasks/exercise.toml    names the tasks, in order
COURSE/EXERCISE/_tasks/TASK/            holds one task: all of FILES

An instructor's course file (`course_file.py`) may choose among them. Everything here then returns what it chose, except
the functions whose names say `whole`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
from collections.abc import Iterator
from pathlib import Path

import autograder
from autograder.tasks.course_file import COURSE_FILE, Choice, choices
from autograder.tasks.tables import TaskFolderError, read_table

COURSE = "AUTOGRADER_COURSE"
"""The environment variable that names another course's folder."""
CHOSEN_BY = "AUTOGRADER_COURSE_FILE"
"""The environment variable that names another course file; empty for none."""
TASKS = "_tasks"
FILES = ("statement.md", "solution.py", "task.py", "cases.toml", "answers.py", "hints.toml")
KEYS = {"version": int, "tasks": list}
OPTIONAL = {"setup": str, "explaining": int}
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
        explaining: points that a person gives for an explanation of an own answer; 0: there is no such question.
        points: what tasks are worth, where a course file gives them other points than their checks have.
    """

    name: str
    path: Path
    version: int
    tasks: tuple[str, ...]
    setup: str = SETUP
    explaining: int = 0
    points: dict[str, float] = dataclasses.field(default_factory=dict, hash=False)


def course_folder() -> Path:
    """Return the course's folder: the one that the environment names, else the package's own.

    In a wheel that is part of the package; in a checkout it is beside it.
    """
    if named := os.environ.get(COURSE):
        return Path(named).resolve()
    package = Path(autograder.__file__).resolve().parent
    packed = package / "course"
    return packed if packed.is_dir() else package.parent / "solutions"


def course_file(root: Path | None = None) -> Path | None:
    """Return the course file, by which an instructor chooses exercises and tasks; None if there is none.

    Args:
        root: the course's root; by default, the folder that holds the course's folder.
    """
    named = os.environ.get(CHOSEN_BY)
    file = (root or course_folder().parent) / COURSE_FILE if named is None else Path(named).absolute()
    return file if named != "" and file.is_file() else None


def released_name(root: Path) -> str:
    """Return the name of the folder of released exercises in a course's root.

    What a course file chooses is released beside `exercises`, which git keeps and `git pull` changes.
    """
    return "exercises" if course_file(root) is None else "release"


@contextlib.contextmanager
def whole_course() -> Iterator[None]:
    """Ignore a course file inside, as for the files that are made from task folders and that git keeps."""
    before = os.environ.get(CHOSEN_BY)
    os.environ[CHOSEN_BY] = ""
    try:
        yield
    finally:
        del os.environ[CHOSEN_BY]
        os.environ.update({} if before is None else {CHOSEN_BY: before})


def exercises() -> tuple[str, ...]:
    """Return the names of all exercises that have tasks, in order."""
    return tuple(_exercises(course_folder(), _choosing()))


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
    return _exercises(course_folder(), _choosing()).get(name)


def whole_exercise(name: str) -> ExerciseFolder | None:
    """Find an exercise with all its tasks, whatever a course file chooses; None if it is not the course's."""
    return _exercises(course_folder(), None).get(name)


def is_left_out(name: str) -> bool:
    """Tell whether a name is that of an exercise that the course file leaves out."""
    return course_file() is not None and whole_exercise(name) is not None and exercise_folder(name) is None


def left_out(name: str) -> str:
    """Say that the course file leaves out an exercise or a task, and what to do."""
    return f"{course_file()} leaves out {name}: add it there to use it"


def known_exercise(name: str) -> ExerciseFolder:
    """Find an exercise that must be the course's.

    Raises:
        LookupError: if there is no such exercise.
        TaskFolderError: if one of the course's folders cannot be used.
    """
    if (folder := exercise_folder(name)) is None:
        if is_left_out(name):
            raise LookupError(left_out(name))
        raise LookupError(f"there is no exercise {name!r}; there are {', '.join(exercises())}")
    return folder


def task_folders() -> dict[str, Path]:
    """Find the folder of every task, by name.

    Raises:
        TaskFolderError: if one of the course's folders cannot be used, or two tasks have the same name.
    """
    return _folders(course_folder(), _choosing())


Choosing = tuple[Path, int, int] | None
"""A course file with the time of its last change and its size; None without one."""


def _choosing() -> Choosing:
    if (file := course_file()) is None:
        return None
    status = file.stat()
    return file, status.st_mtime_ns, status.st_size


@functools.cache
def _folders(course: Path, choosing: Choosing) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for exercise in _exercises(course, choosing).values():
        for task in exercise.tasks:
            if task in found:
                raise TaskFolderError(f"two tasks are called {task}: {found[task]} and {exercise.path / task}")
            found[task] = exercise.path / task
    return found


@functools.cache
def _exercises(course: Path, choosing: Choosing) -> dict[str, ExerciseFolder]:
    if choosing is None:
        return {path.parent.name: read_exercise(path) for path in sorted(course.glob(f"*/{TASKS}"))}
    whole = _exercises(course, None)
    chosen = choices(choosing[0], {name: (one.path, one.tasks) for name, one in whole.items()})
    return {name: _as_chosen(whole[name], one) for name, one in chosen.items()}


def _as_chosen(whole: ExerciseFolder, one: Choice) -> ExerciseFolder:
    explaining = whole.explaining if one.explaining is None else one.explaining
    return dataclasses.replace(whole, tasks=one.tasks, points=one.points, explaining=explaining)


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
    if not all(isinstance(task, str) and task for task in tasks) or len(set(tasks)) < len(tasks):
        raise TaskFolderError(f"{file}: tasks = {given['tasks']!r}, but it takes the names of tasks, each once")
    for task in tasks:
        for name in FILES:
            if not (path / task / name).is_file():
                raise TaskFolderError(f"{path / task} lacks {name}")
    for folder in path.iterdir():
        known = folder.name in {*tasks, CACHE} or folder.name.startswith(".")  # JupyterLab keeps .ipynb_checkpoints
        if folder.is_dir() and not known and not _is_left_over(folder):
            raise TaskFolderError(f"{file} does not name {folder.name} among its tasks")
    if (explaining := given.get("explaining", 0)) < 0:
        raise TaskFolderError(f"{file}: explaining = {explaining}, but points cannot be below 0")
    return ExerciseFolder(path.parent.name, path, given["version"], tasks, given.get("setup", SETUP), explaining)


def _is_left_over(folder: Path) -> bool:
    """Whether a folder holds nothing but Python's cache: git removes the files of a task that is gone, and not that."""
    return [one.name for one in folder.iterdir()] == [CACHE]
