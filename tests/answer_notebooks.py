"""All written answers through the real pipeline: as notebooks, in sandboxes, judged as a class is.

A notebook carries one answer to each task, so that all answers of an exercise need few notebooks. Its other tasks are
not asked, because the published solution stands there.
"""

from __future__ import annotations

import functools
from collections import deque
from concurrent.futures import Executor
from typing import Literal
from unittest import mock

from autograder.checks.catalogue import tasks_of
from autograder.checks.task import Task
from autograder.classroom import worker
from autograder.classroom.executors import Cores
from autograder.classroom.job import Job, JobResult
from autograder.classroom.version import version
from autograder.grader import grading
from autograder.tasks.cells import needed
from autograder.verdicts.verdict import Verdict
from tests.answers import Answer, few, right_answers, wrong_answers
from tests.submissions import solution_sources, solved

Part = Literal["few", "rest"] | None
SEED = b"some submission's seed".ljust(32, b".")
LIMITS = {"cell": 5.0, "question": 3.0}
ENDLESS = LIMITS | {"question": 1.0}
"""Where a question is known to have no end, each second of waiting costs one of a processor."""


@functools.cache
def verdicts(exercise: str, task: str = "", part: Part = None) -> dict[tuple[str, str], Verdict]:
    """For every answer, by kind and task and name, the verdict that its student gets.

    Args:
        exercise: "04_hooks".
        task: only the answers to this task.
        part: only those that `few` keeps, or only the rest.
    """
    loads = _notebooks(exercise, task, part)
    jobs = []
    for load in loads:
        notebook = solved(exercise, **{task: answer.source for task, answer in load.items()})
        limits = ENDLESS if any(answer.endless for answer in load.values()) else LIMITS
        jobs.append(Job(notebook, exercise, None, limits, SEED, version()).pack())
    found = {}
    for load, raw in zip(loads, _pool().map(_work, jobs, map(tuple, loads)), strict=True):
        result = JobResult.unpack(raw)
        assert not result.error, result.error
        given = {verdict["task"]: Verdict.from_data(verdict) for verdict in result.verdicts}
        for task, answer in load.items():
            found[identity(answer)] = given[task]
    return found


def _work(job: bytes, tasks: tuple[str, ...]) -> bytes:
    """Do a packed job as a worker does, as if its exercise had these tasks only."""

    def chosen(exercise: str) -> dict[str, Task]:
        return {name: task for name, task in tasks_of(exercise).items() if name in tasks}

    with mock.patch.object(worker, "graded_tasks", chosen), mock.patch.object(grading, "graded_tasks", chosen):
        return worker.work(job)


@functools.cache
def _pool() -> Executor:
    """Workers for all exercises: starting them takes longer than judging some of them."""
    return Cores().open()


def identity(answer: Answer) -> tuple[str, str]:
    """What tells an answer from all others of its exercise."""
    return answer.task, f"{answer.kind} {answer.name}"


def _notebooks(exercise: str, task: str, part: Part) -> list[dict[str, Answer]]:
    """Answers by task, for one notebook after another; a task that uses another's cell gets the published one.

    Endless answers have notebooks of their own, so that no other is judged under their limit.
    """
    cells = solution_sources(exercise)
    tasks = list(tasks_of(exercise))
    uses = {name: {other for other in tasks if cells[other] in needed(name, cells)} for name in tasks}
    answers = [one for one in (*right_answers(exercise), *wrong_answers(exercise)) if task in ("", one.task)]
    if part is not None:
        kept = few(answers)
        answers = kept if part == "few" else [one for one in answers if one not in kept]
    notebooks = []
    for endless in (False, True):
        waiting = {name: deque(one for one in answers if (one.task, one.endless) == (name, endless)) for name in tasks}
        while any(waiting.values()):
            load: dict[str, Answer] = {}
            for name in sorted(tasks, key=lambda name: -len(waiting[name])):
                entangled = uses[name] & load.keys() or any(name in uses[other] for other in load)
                if waiting[name] and not entangled:
                    load[name] = waiting[name].popleft()
            notebooks.append(load)
    return notebooks
