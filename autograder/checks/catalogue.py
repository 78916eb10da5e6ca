"""Find tasks and exercises: every `checks/test_NN_topic.py` is one."""

from __future__ import annotations

import functools
import importlib
from pathlib import Path

from autograder.checks.task import TASKS, Task
from autograder.names import no_such_task


@functools.cache
def exercises() -> tuple[str, ...]:
    """The names of all exercises, in order."""
    return tuple(sorted(path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")))


def graded_tasks(exercise: str) -> dict[str, Task]:
    """The tasks of an exercise by name; none of one that the course has no checks for, as an instructor's own."""
    return tasks_of(exercise) if exercise in exercises() else {}


@functools.cache
def tasks_of(exercise: str) -> dict[str, Task]:
    """The tasks of an exercise by name, in the order of its check file.

    Raises:
        LookupError: for an exercise without checks.
    """
    if exercise not in exercises():
        raise LookupError(f"there is no exercise {exercise!r}; there are {', '.join(exercises())}")
    importlib.import_module(f"autograder.checks.test_{exercise}")
    return {name: task for name, task in TASKS.items() if task.exercise == exercise}


def find_task(name: str) -> Task:
    """The task of that name in any exercise.

    Raises:
        LookupError: where there is none; names the nearest.
    """
    for exercise in exercises():
        tasks_of(exercise)
    if isinstance(name, str) and name in TASKS:
        return TASKS[name]
    raise LookupError(no_such_task(name, TASKS))
