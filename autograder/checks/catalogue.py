"""Find a course's tasks by exercise and by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from autograder.names import no_such_task
from autograder.tasks.cells import needed
from autograder.tasks.folders import exercise_folder, exercises, known_exercise, task_folders
from autograder.tasks.modules import module
from autograder.tasks.tables import TaskFolderError
from autograder.tasks.versions import folder_of, of_label

if TYPE_CHECKING:
    from autograder.checks.task import Task

__all__ = ["cells_before", "exercises", "find_task", "graded_tasks", "named_tasks", "tasks_in", "tasks_of"]


UNDEALT: Mapping[str, int] = MappingProxyType({})
"""The versions of tasks of which none was dealt."""


def graded_tasks(exercise: str, versions: Mapping[str, int] = UNDEALT) -> dict[str, Task]:
    """Return the tasks of an exercise by name; an empty dict for an exercise without checks."""
    return tasks_of(exercise, versions) if exercise_folder(exercise) is not None else {}


def tasks_of(exercise: str, versions: Mapping[str, int] = UNDEALT) -> dict[str, Task]:
    """Return the tasks of an exercise by name, in the order of its notebook.

    Args:
        exercise: "01_doubling".
        versions: by task, the version that was dealt.

    Raises:
        LookupError: for an exercise without checks, or a version that a task does not have.
        TaskFolderError: if a task folder cannot be used.
    """
    folder = known_exercise(exercise)
    return {name: _task(folder_of(folder.path / name, versions.get(name, 0))) for name in folder.tasks}


def tasks_in(notebook: Mapping[str, Any], exercise: str, versions: Mapping[str, int] = UNDEALT) -> dict[str, Task]:
    """Return the tasks of an exercise that a notebook holds, in its order.

    A notebook that was tailored to a course file names them in its metadata, because a student need not have that file.

    Args:
        notebook: the parsed file, whose metadata anybody may have changed.
        exercise: the exercise's name.
        versions: by task, the version that was dealt.
    """
    tasks, named = tasks_of(exercise, versions), named_tasks(notebook)
    return {name: tasks[name] for name in named if name in tasks} or tasks


def named_tasks(notebook: Mapping[str, Any]) -> list[str]:
    """Return the tasks that a tailored notebook names in its metadata; empty for any other."""
    about: Any = notebook.get("metadata")
    for key in ("autograder", "tasks"):
        about = about.get(key) if isinstance(about, Mapping) else None
    return list(dict.fromkeys(one for one in about if isinstance(one, str))) if isinstance(about, list) else []


def find_task(name: object) -> Task:
    """Return the task of that name or label in any exercise, without importing another.

    Raises:
        LookupError: if there is none, or no such version; suggests similar names.
        TaskFolderError: if its folder cannot be used.
    """
    folders = task_folders()
    if isinstance(name, str):
        task, version = of_label(name)
        if task in folders:
            return _task(folder_of(folders[task], version))
    raise LookupError(no_such_task(name, folders))


def cells_before(task: Task) -> list[str]:
    """Return the published cells of the exercise's earlier tasks that this task's solution builds on, in order."""
    return needed(task.name, {name: one.solution for name, one in tasks_of(task.exercise).items()}, task.solution)


def _task(folder: Path) -> Task:
    file = folder / "task.py"
    task: Task | None = getattr(module(file), "TASK", None)
    if task is None:
        raise TaskFolderError(f"{file} declares no TASK: TASK = Task(__file__, minutes=..., reference=...)")
    return task
