"""Which mistake to practise today: one that the student made, else one that others make in a task they have passed."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from autograder import record
from autograder.attempts import solved_tasks
from autograder.checks.catalogue import find_task
from autograder.practising.pairs import Pair, pair_of
from autograder.tasks.folders import task_folders

MOST_TRIED = 8
"""Mistakes that are looked at before a call gives up."""
PATIENCE = 10.0
"""Seconds after which no further mistake is looked at; a task that trains a network takes some for one."""


class OutOfTimeError(Exception):
    """The patience ended before a pair was found; there may be one."""


def pair_for(day: date) -> Pair | None:
    """Return the day's next pair; None if the record holds nothing to go by.

    Args:
        day: shuffles the mistakes; one that was practised on it comes last.

    Raises:
        OutOfTimeError: if the mistakes that were looked at within some seconds give none.
    """
    source = random.Random(day.isoformat())
    practised = [_key(event) for event in record.events("practice") if _local_day(event) == day]
    until = time.monotonic() + PATIENCE
    for some in (_made(), _met()):
        waiting = [one for one in dict.fromkeys(some) if one[0] in task_folders()]
        source.shuffle(waiting)
        waiting.sort(key=practised.count)
        for task, mistake in waiting[:MOST_TRIED]:
            if time.monotonic() > until:
                raise OutOfTimeError
            if (pair := pair_of(find_task(task), mistake, random.Random(f"{day} {task} {mistake}"))) is not None:
                return pair
    return None


def _made() -> Iterator[tuple[str, str]]:
    """Yield the mistakes that the student once made, with their tasks; one that is not solved is not given away."""
    for event in record.events("attempt"):
        names = event.get("mistakes")
        for name in names if isinstance(names, list) else []:
            if str(event.get("task")) in solved_tasks(record.path()) and isinstance(name, str):
                yield event["task"], name


def _met() -> Iterator[tuple[str, str]]:
    """Yield all named mistakes of the tasks that the student has solved."""
    for name in sorted(solved_tasks(record.path())):
        if name in task_folders():
            task = find_task(name)
            yield from ((name, mistake) for mistake in dict.fromkeys(one.name for one in task.answers.mistakes))


def _key(event: dict[str, Any]) -> tuple[str, str]:
    return str(event.get("task")), str(event.get("mistake"))


def _local_day(event: dict[str, Any]) -> date:
    return datetime.fromisoformat(event["at"]).astimezone().date()
