"""The bare limit: a warm process forks, executes the same cells plainly and answers the same questions.

Nothing is confined, recorded, judged or written. What class grading takes beyond this is its own cost.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import nbformat

from autograder.checks.catalogue import tasks_of
from autograder.notebooks.reading import task_of_grade_cell
from autograder.probes import Question, answer
from autograder.supervisor.warming import warm_torch


def cpu_of_bare_forks(notebook: Path, exercise: str, times: int) -> float:
    """CPU seconds of one submission, the mean of `times` forks."""
    os.environ["AUTOGRADER_SANDBOX"] = "1"
    warm_torch()
    cells = nbformat.read(notebook, as_version=4).cells
    tasks = tasks_of(exercise)
    asked = {
        name: [case.question.pack() for check in task.checks for case in check.cases(b"bare")]
        for name, task in tasks.items()
    }
    total = 0.0
    for number in range(times + 1):
        child = os.fork()
        if child == 0:
            _run(cells, asked)
            os._exit(0)
        _, status, used = os.wait4(child, 0)
        assert status == 0
        total += (used.ru_utime + used.ru_stime) if number else 0.0  # the first one warms the caches
    return total / times


def _run(cells: list, asked: dict) -> None:
    names: dict = {"__name__": "__main__"}
    for cell in cells:
        if cell.cell_type != "code":
            continue
        task = task_of_grade_cell(cell)
        if task is None:
            exec(compile(cell.source, "<cell>", "exec"), names)
            continue
        for tree, blob in asked[task]:
            answer(Question.unpack(tree, blob), names)


def seconds_of_checks(notebook: Path, exercise: str) -> dict[str, tuple[float, float]]:
    """For each task, how long its check takes in a live namespace: the first time and then."""
    from autograder.grader.live import judge_namespace

    names: dict = {"__name__": "__main__"}
    cells = nbformat.read(notebook, as_version=4).cells
    for cell in cells:
        if cell.cell_type == "code" and task_of_grade_cell(cell) is None:
            exec(compile(cell.source, "<cell>", "exec"), names)
    found = {}
    for name in tasks_of(exercise):
        times = []
        for _ in range(5):
            start = time.perf_counter()
            judge_namespace(name, names)
            times.append(time.perf_counter() - start)
        found[name] = times[0], sorted(times[1:])[len(times[1:]) // 2]
    return found
