"""Who needs a word: students who are stuck, who tried nothing, and who stopped handing in."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from autograder.class_report.results import CLOSE, AssignmentResults, Participant

LEAST_STUCK = 2


@dataclasses.dataclass(frozen=True)
class Stuck:
    """A student who tries and gets nowhere.

    Attributes:
        student: the student's id.
        tried: how many tasks were tried.
        without_points: the names of those that gave no points at all.
        mistakes: the named mistakes in them.
    """

    student: str
    tried: int
    without_points: tuple[str, ...]
    mistakes: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Stopped:
    """A student who handed in before and does not any more.

    Attributes:
        student: the student's id.
        last: the last assignment that was handed in.
        missed: how many assignments since then were not.
    """

    student: str
    last: str
    missed: int


def stuck(results: AssignmentResults) -> list[Stuck]:
    """List students with no points at all in at least two, and at least half, of the tasks that they tried.

    Those with the most such tasks come first.
    """
    found = []
    for one in results.judged:
        without = tuple(task for task in one.tried if one.tasks[task].points <= CLOSE)
        if len(without) >= LEAST_STUCK and 2 * len(without) >= len(one.tried):
            named = dict.fromkeys(check.mistake for task in without for check in one.tasks[task].checks)
            found.append(Stuck(one.student, len(one.tried), without, tuple(name for name in named if name)))
    return sorted(found, key=lambda one: (-len(one.without_points), one.student))


def untouched(results: AssignmentResults) -> list[Participant]:
    """List students who handed in a notebook in which no task was tried."""
    return [one for one in results.judged if not one.tried]


def stopped(
    order: Sequence[str], handed_in: Mapping[str, AbstractSet[str]], waiting: AbstractSet[str] = frozenset()
) -> list[Stopped]:
    """List students who handed in an assignment and none of the later ones, those who stopped first first.

    Args:
        order: the assignments by time, the earliest first.
        handed_in: for each assignment, the ids of those who handed it in.
        waiting: assignments whose due date is still to come; no student has missed them yet.
    """
    count = [one for one in order if handed_in.get(one) and one not in waiting]
    last = {student: place for place, name in enumerate(order) for student in handed_in.get(name, ())}
    found = []
    for student, place in last.items():
        if missed := sum(order.index(name) > place for name in count):
            found.append(Stopped(student, order[place], missed))
    return sorted(found, key=lambda one: (-one.missed, one.student))
