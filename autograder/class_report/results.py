"""The results of a class in an assignment, reduced to what a class report counts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime

from autograder.nbgrader_plugin.extensions import Extension
from autograder.standings.state import State

CLOSE = 1e-6
"""Points that differ by less are equal, because nbgrader parses them from text."""


@dataclasses.dataclass(frozen=True)
class CheckResult:
    """The result of one check for one student.

    Attributes:
        title: the check's title.
        lost: the points that the student did not get.
        passed: whether the check passed.
        broken: whether the check failed by itself, through no mistake of the student's.
        mistake: name of the mistake that was recognised; empty if none was.
        advice: the mistake's sentence.
        question: a question that shows the mistake, in the words that the student saw.
    """

    title: str
    lost: float = 0.0
    passed: bool = True
    broken: bool = False
    mistake: str = ""
    advice: str = ""
    question: str = ""


@dataclasses.dataclass(frozen=True)
class TaskScore:
    """The score of one student in one task.

    Attributes:
        points: points earned.
        maximum: points that can be earned, more than 0.
        tried: whether the student wrote an answer.
        checks: the results of the task's checks; empty if a person graded it.
        program: the student's source, kept only if a mistake was recognised in it.
        version: the version of the task that the student was dealt; 0 if the task was not dealt.
    """

    points: float
    maximum: float
    tried: bool
    checks: tuple[CheckResult, ...] = ()
    program: str = ""
    version: int = 0

    @property
    def is_full(self) -> bool:
        """Whether the student has all points of the task."""
        return self.points >= self.maximum - CLOSE


@dataclasses.dataclass(frozen=True)
class Participant:
    """One student in an assignment.

    Attributes:
        student: the student's id.
        state: how far the submission is graded.
        points: the points after late penalties; final only if the state is GRADED.
        tasks: the graded tasks, by name; empty if the points do not belong to what is handed in now.
        granted: the student's extension and cohort; None if there are none.
    """

    student: str
    state: State
    points: float = 0.0
    tasks: Mapping[str, TaskScore] = dataclasses.field(default_factory=dict)
    granted: Extension | None = None

    @property
    def handed_in(self) -> bool:
        """Whether there is a submission now."""
        return self.state not in (State.MISSING, State.WITHDRAWN)

    @property
    def tried(self) -> list[str]:
        """The names of the tasks that the student tried."""
        return [name for name, score in self.tasks.items() if score.tried]


@dataclasses.dataclass(frozen=True)
class AssignmentResults:
    """The results of a class in one assignment.

    Attributes:
        name: the assignment's name.
        maximum: the points that it is worth.
        participants: all students in the gradebook or with a submission, sorted by id.
        readings: by task, the lesson's section to read again, such as "lesson 02, “Accumulation”".
        due: the due date in UTC; None if there is none.
        notes: remarks on the gradebook that name students.
        remarks: further remarks, which name nobody.
    """

    name: str
    maximum: float
    participants: tuple[Participant, ...]
    readings: Mapping[str, str] = dataclasses.field(default_factory=dict)
    due: datetime | None = None
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def handed_in(self) -> list[Participant]:
        """Those who have a submission."""
        return [one for one in self.participants if one.handed_in]

    @property
    def final(self) -> list[Participant]:
        """Those whose points are final."""
        return [one for one in self.participants if one.state is State.GRADED]

    @property
    def judged(self) -> list[Participant]:
        """Those with tasks that are graded now, even if others wait for a person."""
        return [one for one in self.participants if one.tasks]

    @property
    def tasks(self) -> dict[str, float]:
        """The points of each task, by name, in the order of the notebook."""
        return {name: score.maximum for one in self.participants for name, score in one.tasks.items()}
