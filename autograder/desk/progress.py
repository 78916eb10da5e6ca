"""`autograder progress`: the points of each exercise, or of each task of one exercise."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table
from rich.text import Text

from autograder.checks.catalogue import find_task
from autograder.desk.due import print_due
from autograder.desk.saved_notebook import ExerciseProgress, NothingFoundError, notebooks
from autograder.terminal import Terminal, complain
from autograder.verdicts.verdict import Verdict
from autograder.wire.outcome import Outcome


def print_progress(names: list[str]) -> int:
    """Print a table with a row for each exercise, or for each task if there is only one exercise.

    Args:
        names: names of exercises or notebook files; empty for all that there are.

    Returns:
        The exit status: 0, or 2 if an exercise does not exist.
    """
    console = Terminal()
    try:
        paths = notebooks(names, Path.cwd())
    except NothingFoundError as error:
        complain("autograder progress", error)
        return 2
    with console.status("running the saved notebooks from clean"):
        found = [ExerciseProgress.of(path) for path in paths]
    console.print(by_task(found[0]) if len(found) == 1 else by_exercise(found))
    for one in found:
        if one.lacking:
            console.print(Text(_other_version(one)))
    print_due(console)
    return 0


def _other_version(one: ExerciseProgress) -> str:
    return (
        f"{one.exercise}: this notebook has no check of {', '.join(one.lacking)}. It was made for another version of "
        "the exercise; get the new notebook and copy your answers into it."
    )


def by_exercise(found: list[ExerciseProgress]) -> Table:
    """Return a table of exercises with points, completed tasks and the next task."""
    table = Table("exercise", "points", "tasks", "next", caption="from the notebooks as they were last saved")
    for one in found:
        tasks = f"{one.done} of {len(one.verdicts)}"
        table.add_row(one.exercise, _points(one), tasks, _next(one))
    got, most = sum(one.points for one in found), sum(one.maximum for one in found)
    table.add_section()
    table.add_row("together", f"{got:g} of {most:g}", "", "")
    return table


def by_task(one: ExerciseProgress) -> Table:
    """Return a table of tasks with points and the reasons for missing ones."""
    table = Table("task", "points", "what is missing", caption="from the notebook as it was last saved, run from clean")
    for name, verdict in one.verdicts.items():
        table.add_row(name, f"{verdict.points:g} of {verdict.maximum:g}", Text(reason(verdict)))
    table.add_section()
    table.add_row(one.exercise, _points(one), "all done" if one.next_task is None else f"next: {_next(one)}")
    return table


def reason(verdict: Verdict) -> str:
    """Return why points are missing; for a task without an attempt, only that."""
    return verdict.reason if is_attempted(verdict) else "not attempted yet"


def is_attempted(verdict: Verdict) -> bool:
    """Return whether the student has begun a task."""
    return {result.kind for result in verdict.results} != {Outcome.NOT_ATTEMPTED}


def _points(one: ExerciseProgress) -> str:
    return f"{one.points:g} of {one.maximum:g}"


def _next(one: ExerciseProgress) -> str:
    name = one.next_task
    return "all done" if name is None else f"{name}, {find_task(name).minutes} minutes"
