"""Scaffold an exercise or a task from templates; the new folder runs as it is, and FILL IN marks what to replace."""

from __future__ import annotations

import json
import keyword
import re
from pathlib import Path

from autograder.notebooks.grade_cells import GRADE_ID
from autograder.tasks.folders import TASKS, course_folder, read_exercise, task_folders
from autograder.tasks.tables import TaskFolderError

TEMPLATES = Path(__file__).with_name("templates")
FILL_IN = "FILL IN"
OF_EXERCISE = ("title", "how_it_works", "setup", "from_clean", "own_program", "what_next")
"""The names of cells that every exercise may have."""
SHADOWED = ("check", "draw", "hint", "progress", "torch")
"""Names of which the notebook makes use itself, so that a student's function would hide them."""
LONGEST_NAME = 50
"""The id of a cell, which holds the name and a prefix, has at most 64 characters."""


def begin_exercise(name: str) -> Path:
    """Create an exercise without tasks.

    Args:
        name: "14_optimizers".

    Returns:
        Its `_tasks` folder.

    Raises:
        TaskFolderError: if it exists already, or the name is invalid.
    """
    if not re.fullmatch(r"\d\d_\w+", name):
        raise TaskFolderError(f"an exercise is named NN_topic, like 14_optimizers, and not {name!r}")
    path = course_folder() / name / TASKS
    if path.exists():
        raise TaskFolderError(f"{path} is there already")
    path.mkdir(parents=True)
    _fill(TEMPLATES / "exercise", path, "EXERCISE", name.replace("_", ": ", 1).replace("_", " "))
    return path


def begin_task(exercise: str, name: str) -> Path:
    """Create the folder of a task and append the task to its exercise.

    Args:
        exercise: "14_optimizers".
        name: the function or class that students define: "sgd_step".

    Returns:
        The task's folder.

    Raises:
        TaskFolderError: if the exercise does not exist, another task has that name, or the name is invalid.
    """
    if not (name.isidentifier() and name.isascii()) or keyword.iskeyword(name) or len(name) > LONGEST_NAME:
        raise TaskFolderError(f"a task is named like the function or class that students write, and not {name!r}")
    tasks = course_folder() / exercise / TASKS
    if not tasks.is_dir():
        raise TaskFolderError(f"there is no {tasks}: begin with `autograder new exercise {exercise}`")
    if (there := task_folders().get(name)) is not None:
        raise TaskFolderError(f"two tasks cannot be called {name}: there is {there}")
    path, file = tasks / name, tasks / "exercise.toml"
    if clash := _same_cell(name, read_exercise(tasks).tasks):
        raise TaskFolderError(f"a task cannot be called {name} here: the name is that of {clash}")
    listing = _with_task(file, name)
    path.mkdir()
    _fill(TEMPLATES / "task", path, "TASK", name)
    file.write_text(listing, encoding="utf-8")
    return path


def _same_cell(name: str, others: tuple[str, ...]) -> str:
    """Return what already has an id that a cell of a new task would get; empty if nothing has."""
    made = {one.lower(): f"the task {one}" for one in others}
    for prefix in ("about_", GRADE_ID):
        made |= {f"{prefix}{one.lower()}": f"a cell of the task {one}" for one in others}
    made |= dict.fromkeys(OF_EXERCISE, "a cell of every exercise")
    made |= dict.fromkeys(SHADOWED, "what the notebook imports")
    return made.get(name.lower(), "")


def to_fill_in(folder: Path) -> list[str]:
    """List the places, as file and line, that the author has not replaced yet."""
    found = []
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if FILL_IN in line:
                found.append(f"{path}, line {number}")
    return found


def _fill(template: Path, into: Path, placeholder: str, name: str) -> None:
    """Copy a template's files and replace the placeholder by the name, except where the engine requires that word."""
    for path in sorted(template.iterdir()):
        text = path.read_text(encoding="utf-8")
        kept = rf"\b{placeholder}\b(?!( = Task|\.check))|(?<=test_){placeholder}\b"
        (into / path.name).write_text(re.sub(kept, name, text), encoding="utf-8")


def _with_task(file: Path, task: str) -> str:
    """Return the text of an `exercise.toml` with one more task in its list, and the rest unchanged."""
    text = file.read_text(encoding="utf-8")
    listed = re.search(r"^tasks *= *\[(.*?)\]", text, re.MULTILINE | re.DOTALL)
    if listed is None:
        raise TaskFolderError(f"{file} has no line `tasks = [...]`: add one")
    try:
        names = [*json.loads(f"[{listed[1].strip().rstrip(',')}]"), task]
    except json.JSONDecodeError:  # TOML allows comments and other quotes, which a list made anew would lose
        raise TaskFolderError(
            f"{file}: write tasks = [...] with names in double quotes and without comments, then run this again"
        ) from None
    lines = "".join(f'    "{name}",\n' for name in names)
    one = f"tasks = {json.dumps(names)}"
    new = one if len(one) <= 100 else f"tasks = [\n{lines}]"
    return text[: listed.start()] + new + text[listed.end() :]
