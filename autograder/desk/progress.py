"""`autograder progress`: lesson by lesson, or the tasks of one."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table
from rich.text import Text

from autograder.checks.catalogue import find_task
from autograder.desk.standing import NothingFoundError, Standing, notebooks
from autograder.grader.verdict import Verdict
from autograder.terminal import Terminal, complain


def print_progress(names: list[str]) -> int:
    """Print one row for each exercise; for a single one, a row for each task.

    Args:
        names: exercises or notebook files; all that are there, where empty.

    Returns:
        The exit status: 0, or 2 where there is no such exercise.
    """
    console = Terminal()
    try:
        paths = notebooks(names, Path.cwd())
    except NothingFoundError as error:
        complain("autograder progress", error)
        return 2
    with console.status("running the saved notebooks from clean"):
        standings = [Standing.of(path) for path in paths]
    console.print(by_task(standings[0]) if len(standings) == 1 else by_exercise(standings))
    for one in standings:
        if one.lacking:
            console.print(Text(_other_version(one)))
    return 0


def _other_version(one: Standing) -> str:
    return (
        f"{one.exercise}: this notebook has no check of {', '.join(one.lacking)}. It was made for another version of "
        "the exercise; get the new notebook and copy your answers into it."
    )


def by_exercise(standings: list[Standing]) -> Table:
    """Lesson by lesson: points, tasks that are done, and what comes next."""
    table = Table("exercise", "points", "tasks", "next", caption="from the notebooks as they were last saved")
    for one in standings:
        tasks = f"{one.done} of {len(one.verdicts)}"
        table.add_row(one.exercise, _points(one), tasks, _next(one))
    got, most = (sum(getattr(one, key) for one in standings) for key in ("points", "maximum"))
    table.add_section()
    table.add_row("together", f"{got:g} of {most:g}", "", "")
    return table


def by_task(one: Standing) -> Table:
    """Task by task: points, and why some are missing."""
    table = Table("task", "points", "what is missing", caption="from the notebook as it was last saved, run from clean")
    for name, verdict in one.verdicts.items():
        table.add_row(name, f"{verdict.points:g} of {verdict.maximum:g}", Text(reason(verdict)))
    table.add_section()
    table.add_row(one.exercise, _points(one), _next(one))
    return table


def reason(verdict: Verdict) -> str:
    """Why points are missing; of a task that nobody has begun, only that."""
    return "not attempted yet" if {r.kind for r in verdict.results} == {"not_attempted"} else verdict.reason


def _points(one: Standing) -> str:
    return f"{one.points:g} of {one.maximum:g}"


def _next(one: Standing) -> str:
    name = one.next_task
    return "all done" if name is None else f"next: {name}, {find_task(name).minutes} minutes"
