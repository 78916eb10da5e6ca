"""Who hands in what and when, and the points that each hand-in must get: written down, not computed by any check."""

from __future__ import annotations

import dataclasses
import datetime
import math
import random
from typing import Final

from nbformat import NotebookNode

from autograder.checks.catalogue import find_task, tasks_of
from autograder.tasks.dealing import versions_in
from tests.submissions import as_bytes, cell_of, remarked

SOLVED, UNTOUCHED, COPIED = "solved", "untouched", "copied"
"""Besides these kinds of hand-ins: the name of a wrong answer; COPIED holds the right answer to another version."""
LOST_PER_DAY = 0.1
WORTH_OF_VERSIONED = 3
DUE: Final = datetime.datetime(2026, 10, 5, 12, tzinfo=datetime.UTC)
"""When the first exercise is due; each further one is due a week later."""


@dataclasses.dataclass(frozen=True)
class Exercise:
    """An exercise of the term.

    Attributes:
        name: "01_scalar_graphs".
        maximum: its points.
        mistakes: by the name of a wrong answer, its task and the points that it loses.
        versioned: the task of which each student is dealt a version, if any; its points are those of a copied answer.
    """

    name: str
    maximum: int
    mistakes: dict[str, tuple[str, int]]
    versioned: str = ""


EXERCISES = (
    Exercise("01_scalar_graphs", 30, {"gate_forgotten": ("partials", 1)}, "partials"),
    Exercise("02_grad", 21, {"backward_and_grad": ("all_partials", 3)}),
    Exercise("03_retain_grad", 35, {"the_gradient_itself": ("grad_after", 2)}),
    Exercise("04_hooks", 28, {"a_hook_defined_in_the_loop": ("attach_savers", 4)}),
    Exercise("05_elements", 34, {"only_in_front": ("unbroadcast", 4)}),
)

FIRST, SECOND, THIRD, FOURTH = EXERCISES[:4]
EXTENDED, BY_HAND, LEAVING, COPYING, CONTESTING, FETCHING = (f"student-{number:03}" for number in range(2, 8))
"""Students to whom something happens; the first of them hands the first exercise in two days late."""
GROUP = "evening"
REFUSED = "the_gradient_itself"
"""The answer to a task of the third exercise that a check is corrected to accept in mid-term."""


@dataclasses.dataclass(frozen=True)
class HandIn:
    """One hand-in.

    Attributes:
        student: "student-001".
        kind: SOLVED, UNTOUCHED, COPIED, or the name of a wrong answer.
        days: begun days after the due date; 0: in time.
    """

    student: str
    exercise: Exercise
    kind: str
    days: int = 0

    @property
    def points(self) -> float:
        """Points of the checks, before a late penalty."""
        lost = {UNTOUCHED: self.exercise.maximum, SOLVED: 0, COPIED: WORTH_OF_VERSIONED}
        lost |= {name: points for name, (_, points) in self.exercise.mistakes.items()}
        return float(self.exercise.maximum - lost[self.kind])

    @property
    def time(self) -> str:
        """When it was handed in, as nbgrader writes times."""
        late = datetime.timedelta(days=self.days, hours=-1)
        week = datetime.timedelta(weeks=EXERCISES.index(self.exercise))
        return f"{DUE + week + late:%Y-%m-%d %H:%M:%S} UTC"

    def notebook(self, handed_out: NotebookNode) -> bytes:
        """Answer the notebook that the student was given; no two students' files are the same."""
        if self.kind == UNTOUCHED:
            return as_bytes(handed_out)
        exercise = self.exercise
        versions = versions_in(handed_out.cells, exercise.name)
        tasks = tasks_of(exercise.name, versions)
        sources = {name: task.solution for name, task in tasks.items()}
        if self.kind == COPIED:
            other = 1 + versions[exercise.versioned] % 3
            sources[exercise.versioned] = find_task(f"{exercise.versioned}@{other}").solution
        elif self.kind != SOLVED:
            task, _ = exercise.mistakes[self.kind]
            sources[task] = next(one.source for one in tasks[task].answers.answers if one.name == self.kind)
        for name, source in sources.items():
            cell_of(handed_out, name).source = source
        return as_bytes(remarked(handed_out, self.student))


def student(number: int) -> str:
    """Return a student's id."""
    return f"student-{number:03}"


def score(points: float, days: int) -> float:
    """Return a score after the late penalty: each begun day costs a tenth of the points, and never more than all."""
    return points - min(points, points * LOST_PER_DAY * max(0, math.ceil(days)))


def hand_ins(students: int, exercise: Exercise) -> list[HandIn]:
    """Return what a class hands in: nine in ten hand in, one in twelve of them late, one in twenty untouched."""
    source, made = random.Random(exercise.name), []
    for number in range(1, students + 1):
        drawn, kinds = source.random(), (SOLVED, SOLVED, *exercise.mistakes)
        if drawn < 0.1:
            continue
        kind = UNTOUCHED if drawn < 0.15 else source.choice(kinds)
        days = source.choice((1, 3)) if source.random() < 1 / 12 else 0
        made.append(HandIn(student(number), exercise, kind, days))
    return made
