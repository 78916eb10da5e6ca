"""Find tasks and exercises: every `checks/test_NN_topic.py` is one."""

from __future__ import annotations

import difflib
import functools
import importlib
from pathlib import Path

from autograder.checks.task import TASKS, Task


@functools.cache
def exercises() -> tuple[str, ...]:
    """The names of all exercises, in order."""
    return tuple(sorted(path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")))


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
    if name in TASKS:
        return TASKS[name]
    near = difflib.get_close_matches(str(name), TASKS, n=1)
    raise LookupError(f"there is no task {name!r}" + (f"; did you mean {near[0]!r}?" if near else "."))
