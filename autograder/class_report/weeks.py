"""The assignments of a course by time, and what each week looks like beside the others."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import select

from autograder.class_report.proportions import Proportion
from autograder.class_report.results import AssignmentResults
from autograder.standings.handed_in import HandedIn
from autograder.tasks.folders import is_left_out

BY_DUE_DATE, BY_HAND_IN, BY_NAME = "due date", "median time of the hand-ins", "name"


@dataclasses.dataclass(frozen=True)
class Timeline:
    """The assignments of a course by time.

    Attributes:
        order: their names, the earliest first.
        by: what the order goes by.
        due: the due dates in UTC, of those that have one.
        handed_in: for each assignment, the ids of the students who have a submission now.
        students: the ids of all students in the gradebook or among the submissions.
    """

    order: tuple[str, ...]
    by: str
    due: dict[str, datetime]
    handed_in: dict[str, set[str]]
    students: set[str]

    def waiting(self, now: datetime | None = None) -> set[str]:
        """Return the assignments whose due date is still to come.

        Args:
            now: the time in UTC without a time zone, as nbgrader stores due dates.
        """
        now = now or datetime.now(UTC).replace(tzinfo=None)
        return {name for name, due in self.due.items() if due > now}


@dataclasses.dataclass(frozen=True)
class Week:
    """One assignment beside the others.

    Attributes:
        assignment: its name.
        due: its due date in UTC; None if it has none.
        handed_in: how many of the class handed it in.
        final: the shares of its points, from 0 to 1, of those whose points are final.
    """

    assignment: str
    due: datetime | None
    handed_in: Proportion
    final: tuple[float, ...]

    @property
    def quartiles(self) -> tuple[float, float, float] | None:
        """The quartiles of the shares of points; None if no points are final."""
        if not self.final:
            return None
        return quartiles(self.final)


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the lower quartile, the median and the upper quartile of at least one number."""
    found: list[float] = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    return found[0], found[1], found[2]


def timeline(gradebook: Gradebook, course: CourseDirectory) -> Timeline:
    """Put a course's assignments in order: by due date if all have one, else by hand-in times, else by name."""
    names = sorted(one.name for one in gradebook.assignments if not is_left_out(one.name))
    due = {one.name: one.duedate for one in gradebook.assignments if one.name in names and one.duedate is not None}
    times = dict[str, list[float]]()
    query = select(Assignment.name, SubmittedAssignment.timestamp).join_from(
        SubmittedAssignment, Assignment, Assignment.id == SubmittedAssignment.assignment_id
    )
    for name, when in gradebook.db.execute(query.where(SubmittedAssignment.timestamp.is_not(None))):
        times.setdefault(name, []).append(when.timestamp())
    middle = {name: statistics.median(some) for name, some in times.items()}
    handed_in = {name: HandedIn(course, name).students() for name in names}
    wanted = [name for name in names if handed_in[name]]
    by, key = BY_NAME, dict[str, float]()
    if all(name in due for name in wanted):
        by, key = BY_DUE_DATE, {name: when.timestamp() for name, when in due.items()}
    elif all(name in middle for name in wanted):
        by, key = BY_HAND_IN, middle
    order = sorted(names, key=lambda name: (key.get(name, float("inf") if key else 0.0), name))
    students = {one.id for one in gradebook.students}.union(*handed_in.values())
    return Timeline(tuple(order), by if wanted else BY_NAME, due, handed_in, students)


def weeks(every: Sequence[AssignmentResults]) -> list[Week]:
    """Describe assignments side by side, in the order that is given."""
    return [
        Week(
            one.name,
            one.due,
            Proportion(len(one.handed_in), len(one.participants)),
            tuple(who.points / one.maximum for who in one.final) if one.maximum > 0 else (),
        )
        for one in every
    ]
