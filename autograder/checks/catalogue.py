"""Find a course's tasks by exercise and by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from autograder.names import no_such_task
from autograder.tasks.cells import needed
from autograder.tasks.folders import exercise_folder, exercises, task_folders
from autograder.tasks.modules import module
from autograder.tasks.tables import TaskFolderError

if TYPE_CHECKING:
    from autograder.checks.task import Task

__all__ = ["cells_before", "exercises", "find_task", "graded_tasks", "tasks_of"]


def graded_tasks(exercise: str) -> dict[str, Task]:
    """Return the tasks of an exercise by name; an empty dict for an exercise without checks."""
    return tasks_of(exercise) if exercise_folder(exercise) is not None else {}


def tasks_of(exercise: str) -> dict[str, Task]:
    """Return the tasks of an exercise by name, in the order of its notebook.

    Raises:
        LookupError: for an exercise without checks.
        TaskFolderError: if a task folder cannot be used.
    """
    folder = exercise_folder(exercise)
    if folder is None:
        raise LookupError(f"there is no exercise {exercise!r}; there are {', '.join(exercises())}")
    return {name: _task(folder.path / name) for name in folder.tasks}


def find_task(name: str) -> Task:
    """Return the task of that name in any exercise, without importing another.

    Raises:
        LookupError: if there is none; suggests similar names.
        TaskFolderError: if its folder cannot be used.
    """
    folders = task_folders()
    if isinstance(name, str) and name in folders:
        return _task(folders[name])
    raise LookupError(no_such_task(name, folders))


def cells_before(task: Task) -> list[str]:
    """Return the published cells of the exercise's earlier tasks that this task's solution builds on, in order."""
    return needed(task.name, {name: one.solution for name, one in tasks_of(task.exercise).items()})


def _task(folder: Path) -> Task:
    file = folder / "task.py"
    task: Task | None = getattr(module(file), "TASK", None)
    if task is None:
        raise TaskFolderError(f"{file} declares no TASK: TASK = Task(__file__, minutes=..., reference=...)")
    return task
