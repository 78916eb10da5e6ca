"""The time that an exercise's solution takes: answering, judging, and `check(...)` in a notebook."""

from __future__ import annotations

import dataclasses
import gc
import itertools
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

from autograder.checks.answer import Answer
from autograder.checks.catalogue import tasks_of
from autograder.grader.live import judge_namespace
from autograder.judging.evidence import Evidence
from autograder.judging.judge import judge
from autograder.notebooks.reading import task_of_grade_cell
from autograder.probes import Question, answer
from autograder.supervisor.warming import environment, warm_torch
from tests.submissions import solved

ROUNDS = 5


@dataclasses.dataclass(frozen=True)
class Cost:
    """The cost of one exercise in seconds.

    Attributes:
        answering: CPU time in which the published solution answers all questions of the exercise.
        judging: CPU time in which the checks judge these answers.
        first: the slowest task's `check(...)` right after the import.
        later: the slowest task's `check(...)` when called again.
    """

    answering: float
    judging: float
    first: float
    later: float


def cost(exercise: str) -> dict[str, float]:
    """Measure an exercise's `Cost`, with torch warm and the garbage collector frozen, as in a supervisor's fork."""
    os.environ.update(environment())
    warm_torch()
    gc.collect()
    gc.freeze()
    return dataclasses.asdict(_cost(exercise))


def _cost(exercise: str) -> Cost:
    tasks = tasks_of(exercise)
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in solved(exercise).cells:
        if cell.cell_type == "code" and task_of_grade_cell(cell) is None:
            exec(compile(cell.source, "<cell>", "exec"), names)

    def ask(question: Question) -> Answer:
        return Answer(*answer(question, names))

    seeds = (str(number).encode() for number in itertools.count())  # as submissions differ, so do their questions

    def answered() -> Evidence:
        evidence = Evidence(next(seeds))
        for task in tasks.values():
            evidence.ask(task, ask)
        return evidence

    def check(name: str) -> float:
        return _took(time.perf_counter, judge_namespace, name, names)

    checks = {name: [check(name) for _ in range(ROUNDS + 1)] for name in tasks}
    answering = statistics.median(_took(time.process_time, answered) for _ in range(ROUNDS))
    judge().verdicts(tasks, answered())  # what public questions need is computed once a process
    judging = statistics.median(
        _took(time.process_time, judge().verdicts, tasks, evidence) for evidence in [answered() for _ in range(ROUNDS)]
    )
    firsts = [times[0] for times in checks.values()]
    return Cost(
        answering,
        judging,
        max(firsts[1:] or firsts),  # the very first check starts the judge
        max(statistics.median(times[1:]) for times in checks.values()),
    )


def _took(clock: Callable[[], float], function: Callable[..., Any], *arguments: Any) -> float:
    start = clock()
    function(*arguments)
    return clock() - start
