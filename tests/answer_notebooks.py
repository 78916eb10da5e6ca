"""All written answers through the real pipeline: as notebooks, in sandboxes, judged as a class is.

A notebook carries one answer to each task, so that all answers of an exercise need few notebooks. Its other tasks are
not asked; their cells hold the published solution where an answer builds on it, and nothing otherwise.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
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
from tests.answers import Answer, right_answers, wrong_answers
from tests.submissions import solution_sources, submission

SEED = b"some submission's seed".ljust(32, b".")
LIMITS = {"cell": 5.0, "question": 3.0}
ENDLESS = LIMITS | {"question": 1.0}
"""Where a question is known to have no end, each second of waiting costs one of a processor."""


def verdicts(exercise: str, answers: Iterable[Answer] | None = None) -> dict[tuple[str, str], Verdict]:
    """For every answer, by task and by kind and name, the verdict that its student gets.

    Args:
        exercise: "04_hooks".
        answers: only these; by default all that are written.
    """
    if answers is None:
        answers = (*right_answers(exercise), *wrong_answers(exercise))
    loads = _notebooks(exercise, list(answers))
    jobs = []
    for load in loads:
        notebook = submission(exercise, _sources(exercise, load))
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


def _sources(exercise: str, load: dict[str, Answer]) -> dict[str, str]:
    """What stands in each solution cell; a cell that no answer builds on would cost as much as the answers."""
    cells = solution_sources(exercise)
    used = {cell for task, answer in load.items() for cell in needed(task, cells, answer.source)}
    published = {task: cell if cell in used else "" for task, cell in cells.items()}
    return published | {task: answer.source for task, answer in load.items()}


def _work(job: bytes, tasks: tuple[str, ...]) -> bytes:
    """Do a packed job as a worker does, as if its exercise had these tasks only."""

    def chosen(exercise: str, versions: Mapping[str, int]) -> dict[str, Task]:
        return {name: task for name, task in tasks_of(exercise, versions).items() if name in tasks}

    with mock.patch.object(worker, "graded_tasks", chosen), mock.patch.object(grading, "graded_tasks", chosen):
        return worker.work(job)


@functools.cache
def _pool() -> Executor:
    """Workers for all exercises: starting them takes longer than judging some of them."""
    return Cores().open()


def identity(answer: Answer) -> tuple[str, str]:
    """What tells an answer from all others of its exercise."""
    return answer.task, f"{answer.kind} {answer.name}"


def _notebooks(exercise: str, answers: list[Answer]) -> list[dict[str, Answer]]:
    """Answers by task, for one notebook after another; a task that uses another's cell gets the published one.

    Endless answers have notebooks of their own, so that no other is judged under their limit.
    """
    cells = solution_sources(exercise)
    tasks = list(tasks_of(exercise))
    uses = {name: {other for other in tasks if cells[other] in needed(name, cells)} for name in tasks}
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
