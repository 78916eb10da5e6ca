"""Which exercises and tasks a run of the tests is about: all, or those that EXERCISE and TASK name in the environment.

`make test TASK=attach_savers` runs tests/tasks for that task alone, and imports no other exercise.
"""

from __future__ import annotations

import os

from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import Task
from autograder.names import no_such_task
from tests.submissions import solution_sources

EXERCISE, TASK = os.environ.get("EXERCISE", ""), os.environ.get("TASK", "")
CHOOSING = bool(EXERCISE or TASK)


def _exercises() -> tuple[str, ...]:
    """The chosen exercises, found by their notebooks.

    Raises:
        LookupError: where there is no such exercise or task; names the nearest.
    """
    if EXERCISE and EXERCISE not in exercises():
        raise LookupError(f"there is no exercise {EXERCISE!r}; there are {', '.join(exercises())}")
    among = (EXERCISE,) if EXERCISE else exercises()
    if not TASK:
        return among
    names = {name: exercise for exercise in among for name in solution_sources(exercise)}
    if TASK not in names:
        raise LookupError(no_such_task(TASK, names))
    return (names[TASK],)


EXERCISES = _exercises()


def chosen_tasks(exercise: str) -> dict[str, Task]:
    """The chosen ones of an exercise's tasks, by name."""
    return {name: task for name, task in tasks_of(exercise).items() if TASK in ("", name)}


TASKS = [task for exercise in EXERCISES for task in chosen_tasks(exercise).values()]
