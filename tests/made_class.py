"""Made results of a class, for tests of its report. `python -m tests.made_class 1000` says how long a report takes."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from autograder.class_report.command import write_report
from autograder.class_report.results import AssignmentResults, CheckResult, Participant, TaskScore
from autograder.class_report.weeks import BY_NAME, Timeline
from autograder.standings.state import State

WRONG = "def double(x):\n    return x  # of one\n"
TASKS = ("double", "halve", "all_partials", "softmax_backward", "jacobian_rows", "clip")


def score(points: float, maximum: float = 1.0, mistake: str = "", tried: bool = True, program: str = "") -> TaskScore:
    """A task with one check, which passes where the points are full."""
    passed = points >= maximum
    advice = f"This is {mistake}. What does `x` stand for?" if mistake else ""
    question = "`double(3)` is 3, expected 6." if mistake else ""
    check = CheckResult("a number", maximum - points, passed, False, mistake, advice, question)
    return TaskScore(points, maximum, tried, (check,), program)


def participant(student: str, **tasks: float | TaskScore) -> Participant:
    """A student whose points are final; a number gives the points of a task that is worth 1."""
    scores = {name: one if isinstance(one, TaskScore) else score(one) for name, one in tasks.items()}
    return Participant(student, State.GRADED, sum(one.points for one in scores.values()), scores)


def results(participants: Sequence[Participant], name: str = "01_numbers", maximum: float = 2.0) -> AssignmentResults:
    """An assignment's results, in which each task has a section to read again."""
    tasks = {task for one in participants for task in one.tasks}
    readings = {task: f"lesson 01, “About {task}”" for task in sorted(tasks)}
    return AssignmentResults(name, maximum, tuple(participants), readings)


def time_line(*every: AssignmentResults) -> Timeline:
    """A timeline of assignments in the order that is given."""
    handed_in = {one.name: {who.student for who in one.handed_in} for one in every}
    students = {who.student for one in every for who in one.participants}
    return Timeline(tuple(one.name for one in every), BY_NAME, {}, handed_in, students)


def drawn_class(count: int, name: str = "01_numbers", seed: int = 1) -> AssignmentResults:
    """A class in which the abler solve more tasks; one in ten hands nothing in, one in ten tries nothing."""
    source, made = random.Random(f"{name} {seed}"), list[Participant]()
    for number in range(count):
        student, able = f"student-{number:04}", source.random()
        if number % 10 == 3:
            made.append(Participant(student, State.MISSING))
            continue
        tasks = dict[str, TaskScore]()
        for place, task in enumerate(TASKS):
            solved = number % 10 != 4 and source.random() < (able + 1 - place / len(TASKS)) / 2
            mistake = source.choice(("x itself", "the sign turned", "a sum for a mean", "one row too many"))
            wrong = score(0.0, 3.0, mistake, program=WRONG.replace("one", str(number)))
            tasks[task] = score(3.0, 3.0) if solved else wrong if number % 10 != 4 else score(0.0, 3.0, tried=False)
        made.append(participant(student, **tasks))
    return results(made, name, 3.0 * len(TASKS))


if __name__ == "__main__":
    made = drawn_class(int(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time(), time.monotonic()
        write_report(Path(folder), [made], time_line(made), made.name)
        cpu, wall = time.process_time() - start[0], time.monotonic() - start[1]
    print(f"{len(made.participants)} made standings: {cpu:.1f} s of CPU, {wall:.1f} s")
