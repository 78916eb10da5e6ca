"""Attempts at tasks, in the student's own record: what each check gave, until the first that gave full points."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from autograder import record

KIND = "attempt"


def note_attempt(task: str, points: float, maximum: float, mistakes: Sequence[str]) -> None:
    """Note an attempt, unless the task was solved before.

    Args:
        task: its name.
        points: points earned.
        maximum: points that can be earned.
        mistakes: names of the mistakes that were found.
    """
    solved = solved_tasks(record.path())
    if task in solved or not maximum:
        return
    record.note(KIND, task=task, points=points, maximum=maximum, mistakes=[*mistakes])
    if points >= maximum:
        solved.add(task)


@functools.cache
def solved_tasks(file: Path | None) -> set[str]:
    """Return the names of the tasks that were solved; read from the record once, then kept by `note_attempt`.

    Args:
        file: the record's; None where none is kept.
    """
    return {event["task"] for event in attempts() if event["points"] >= event["maximum"]}


def attempts() -> Iterator[dict[str, Any]]:
    """Yield the attempts until each task's first full points, oldest first; a damaged event is passed over."""
    kinds = {"task": str, "points": int | float, "maximum": int | float, "mistakes": list}
    solved = set()
    for event in record.events(KIND):
        if all(isinstance(event.get(key), kind) for key, kind in kinds.items()) and event["task"] not in solved:
            if event["points"] >= event["maximum"]:
                solved.add(event["task"])
            yield event


def first_tries() -> dict[str, bool]:
    """Return, for each task that was tried, whether its first check gave full points."""
    found: dict[str, bool] = {}
    for event in attempts():
        found.setdefault(event["task"], event["points"] >= event["maximum"])
    return found
