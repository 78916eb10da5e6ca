"""A list of tasks for whoever calls `check()` without a name."""

from __future__ import annotations

import textwrap
from collections.abc import Collection

from autograder.tasks.folders import exercise_folder, exercises, known_exercise

WIDTH = 80
INDENT = " " * 4


def task_list(exercise: str | None, named: Collection[str] = ()) -> str:
    """List the tasks of an exercise, or of all exercises, as lines of text.

    Args:
        exercise: the exercise; None, or a name that is none, if it is unknown which notebook asks.
        named: the tasks that the notebook says it holds; empty for all.
    """
    folder = exercise_folder(exercise) if exercise is not None else None
    if folder is not None:
        tasks = tuple(name for name in named if name in folder.tasks) or folder.tasks
        return f"The tasks of {folder.name}:\n{_names(tasks)}\n{_example(tasks)}"
    folders = [known_exercise(name) for name in exercises()]
    groups = [f"{one.name}:\n{_names(one.tasks)}" for one in folders if one.tasks]
    if not groups:
        return "The course that is installed here has no tasks."
    return "\n".join(["The tasks of the course, by exercise.", *groups, _example(folders[0].tasks)])


def _names(tasks: tuple[str, ...]) -> str:
    return textwrap.fill(", ".join(tasks), WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)


def _example(tasks: tuple[str, ...]) -> str:
    return f'Give one of these names: check("{tasks[0]}").' if tasks else "It has no tasks."
