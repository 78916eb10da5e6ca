"""The named mistakes of a class: how many students' last submissions show each, and which to talk about first."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection

from autograder.class_report.programs import LEAST_OF_A_NAME, holds_name, shortest
from autograder.class_report.results import AssignmentResults
from autograder.standings.number_text import DECIMALS
from autograder.tasks.lesson_sections import REFERENCE

MOST_TALKED_ABOUT = 5
SEE = re.compile(rf"\s*See ({REFERENCE.pattern})\.")
"""The sentence with which a mistake of the engine's own ends, as `with_reading` writes it."""


@dataclasses.dataclass(frozen=True)
class Mistake:
    """A named mistake, in all tasks where it is told in the same words.

    Attributes:
        name: the mistake's name.
        tasks: the names of the tasks.
        students: how many students' last submissions show it.
        lost: the points that it cost them together.
        advice: what a student is told.
        reading: the lesson's section to read again, or several; empty if none is known.
        program: the shortest program that shows it; empty if there is none to show.
        question: a question whose answer shows it, if there is no program.
    """

    name: str
    tasks: tuple[str, ...]
    students: int
    lost: float
    advice: str
    reading: str
    program: str
    question: str


@dataclasses.dataclass
class _Seen:
    students: set[str] = dataclasses.field(default_factory=set)
    tasks: list[str] = dataclasses.field(default_factory=list)
    programs: list[str] = dataclasses.field(default_factory=list)
    questions: list[str] = dataclasses.field(default_factory=list)
    lost: float = 0.0


def named_mistakes(results: AssignmentResults) -> list[Mistake]:
    """Count the mistakes in the last submissions of a class, the most frequent first."""
    found = dict[tuple[str, str], _Seen]()
    for one in results.judged:
        for task, score in one.tasks.items():
            for check in score.checks:
                if check.mistake:
                    seen = found.setdefault((check.mistake, check.advice), _Seen())
                    seen.students.add(one.student)
                    seen.tasks.append(task)
                    seen.programs.append(score.program)
                    seen.questions.append(check.question)
                    seen.lost += check.lost
    names = [one.student.casefold() for one in results.participants if len(one.student) >= LEAST_OF_A_NAME]
    mistakes = [_mistake(results, name, advice, seen, names) for (name, advice), seen in found.items()]
    return sorted(mistakes, key=lambda one: (-one.students, -one.lost, one.name))


def _mistake(results: AssignmentResults, name: str, advice: str, seen: _Seen, names: Collection[str]) -> Mistake:
    tasks = tuple(task for task in results.tasks if task in seen.tasks)
    program = shortest(seen.programs, names)
    questions = sorted((one for one in {*seen.questions} if one and not holds_name(one, names)), key=len)
    question = questions[0] if questions and not program else ""
    if named := SEE.search(advice):  # the engine's own mistakes name the section that explains them
        advice, readings = advice[: named.start()] + advice[named.end() :], [named[1]]
    else:
        readings = [*dict.fromkeys(results.readings[task] for task in tasks if results.readings.get(task))]
    lost = round(seen.lost, DECIMALS)
    return Mistake(name, tasks, len(seen.students), lost, advice, "; ".join(readings), program, question)


def to_talk_about(mistakes: Collection[Mistake]) -> list[Mistake]:
    """Return at most five mistakes, those that cost the class the most points first."""
    return sorted(mistakes, key=lambda one: (-one.lost, -one.students, one.name))[:MOST_TALKED_ABOUT]
