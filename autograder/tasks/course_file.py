"""Read `course.toml`, in which an instructor chooses exercises and tasks, the order of tasks, and their points.

    [[exercise]]
    name = "01_doubling"
    tasks = ["slope", "double"]     # in this order; omitted: all tasks
    points = { slope = 6 }          # omitted: the points of the checks
    explaining = 2                  # points, given by a person, for an explanation of an own answer

An exercise that the file does not list is left out of the course.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from autograder.names import with_nearest
from autograder.notebooks.weights import is_weight
from autograder.tasks.cells import bases
from autograder.tasks.tables import TaskFolderError, line_of, read_tables

COURSE_FILE = "course.toml"
KEYS = {"name": str}
OPTIONAL = {"tasks": list, "points": dict, "explaining": int}


@dataclasses.dataclass(frozen=True)
class Choice:
    """What a course file says about one exercise.

    Attributes:
        tasks: the names of the chosen tasks, in the order of the notebook.
        points: what tasks are worth, where that differs from the points of their checks.
        explaining: points for an explanation of an own answer; None: as the exercise has it.
    """

    tasks: tuple[str, ...]
    points: dict[str, float]
    explaining: int | None = None


@dataclasses.dataclass(frozen=True)
class _Place:
    """One `[[exercise]]` of a course file, for the messages of errors."""

    file: Path
    text: str
    line: int

    def refuse(self, why: str, line: int | None = None) -> NoReturn:
        raise TaskFolderError(f"{self.file}, line {line or self.line}: {why}")

    def line_of_text(self, name: str) -> int:
        """Return the first line from the table's head on that holds a text in quotes, such as a task in a list."""
        lines = self.text.splitlines()
        quoted = re.compile(rf"([\"']){re.escape(name)}\1")
        return next((n for n in range(self.line, len(lines) + 1) if quoted.search(lines[n - 1])), self.line)


def choices(file: Path, exercises: Mapping[str, tuple[Path, Sequence[str]]]) -> dict[str, Choice]:
    """Read and check a course file.

    Args:
        file: the course file.
        exercises: for each exercise of the course, its `_tasks` folder and the names of all its tasks.

    Returns:
        A choice for each exercise that the file lists, in the order of the course.

    Raises:
        TaskFolderError: if it cannot be used; the message names the file, the line and what to do.
    """
    tables, lines, text = read_tables(file, "exercise", KEYS, OPTIONAL)
    if not tables:
        raise TaskFolderError(f"{file} lists no exercise: add one, or delete the file to use the whole course")
    found, first = dict[str, Choice](), dict[str, int]()
    for table, line in zip(tables, lines, strict=True):
        name, place = table["name"], _Place(file, text, line)
        if name not in exercises:
            place.refuse(f"there is no exercise {with_nearest(name, exercises)}", place.line_of_text(name))
        if name in first:
            place.refuse(f"{name} is listed in line {first[name]} already; keep one of them")
        first[name] = line
        found[name] = _choice(table, place, *exercises[name])
    return {name: found[name] for name in exercises if name in found}


def _choice(table: dict[str, Any], place: _Place, folder: Path, every: Sequence[str]) -> Choice:
    exercise, tasks = table["name"], table.get("tasks", list(every))
    if not tasks:
        place.refuse(f"{exercise} has no task: list one, or leave out the exercise")
    for number, task in enumerate(tasks):
        if not isinstance(task, str):
            place.refuse(f"{task!r} is not a task's name in quotes", line_of("tasks", place.text, place.line))
        if task not in every:
            place.refuse(f"{exercise} has no task {with_nearest(task, every)}", place.line_of_text(task))
        if task in tasks[:number]:
            place.refuse(f"the task {task} is listed twice; keep one of them", place.line_of_text(task))
    if "tasks" in table:
        _require_bases(exercise, tasks, place, folder, every)
    points = table.get("points", {})
    for task, worth in points.items():
        line = line_of(task, place.text, place.line)
        if task not in every:
            place.refuse(f"{exercise} has no task {with_nearest(task, every)}", line)
        if task not in tasks:
            place.refuse(f"it gives points to {task}, which it leaves out: add the task, or delete its points", line)
        if not is_weight(worth):
            place.refuse(f"the points of {task} are {worth!r}; write a number of 0 or more", line)
    if (explaining := table.get("explaining")) is not None and explaining < 0:
        line = line_of("explaining", place.text, place.line)
        place.refuse(f"explaining is {explaining}; write a number of 0 or more", line)
    return Choice(tuple(tasks), {task: float(worth) for task, worth in points.items()}, explaining)


def _require_bases(exercise: str, tasks: list[str], place: _Place, folder: Path, every: Sequence[str]) -> None:
    """Refuse a task that comes without, or before, another task that its solution builds on."""
    cells = {name: _solution(folder / name) for name in every}
    for number, task in enumerate(tasks):
        for givers in bases(task, cells):
            if any(giver in tasks[:number] for giver in givers):
                continue
            base = next((giver for giver in givers if giver in tasks), givers[0])
            what = "put it first" if base in tasks else f"list {base} before it, or leave out {task} too"
            state = "comes later" if base in tasks else f"{exercise} leaves out"
            place.refuse(f"{task} builds on {base}, which {state}: {what}", place.line_of_text(task))


def _solution(folder: Path) -> str:
    return (folder / "solution.py").read_text(encoding="utf-8")
