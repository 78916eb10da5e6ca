"""The lower limit: a warm process forks, executes the same cells directly and answers the same questions.

It confines, records, judges and writes nothing. Whatever class grading takes beyond this is its overhead.
"""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.checks.catalogue import tasks_of
from autograder.checks.task import Task
from autograder.judging.evidence import Evidence
from autograder.notebooks.reading import task_of_grade_cell
from autograder.probes import Question, answer
from autograder.supervisor.warming import environment, warm_torch

Packed = dict[str, list[tuple[dict[str, Any], bytes]]]


def cpu_of_bare_forks(notebook: Path, exercise: str, times: int) -> float:
    """Return the CPU seconds of one submission, as the mean of `times` forks."""
    os.environ.update(environment())
    warm_torch()
    cells = nbformat.read(notebook, as_version=4).cells
    asked = questions(tasks_of(exercise))
    gc.collect()
    gc.freeze()  # as the supervisor does
    total = 0.0
    for number in range(times + 1):
        child = os.fork()
        if child == 0:
            run_through(cells, asked)
            os._exit(0)
        _, status, used = os.wait4(child, 0)
        assert status == 0
        total += (used.ru_utime + used.ru_stime) if number else 0.0  # the first fork warms the caches
    return total / times


def questions(tasks: dict[str, Task]) -> Packed:
    """Return all questions of these tasks by task, packed as for the sandbox."""
    evidence = Evidence(b"bare")
    return {
        name: [case.question.pack() for check in task.checks for case in evidence.cases(check)]
        for name, task in tasks.items()
    }


def run_through(cells: list[NotebookNode], asked: Packed) -> None:
    """Execute the cells and, in place of each grade cell, answer its task's questions."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        if cell.cell_type != "code":
            continue
        task = task_of_grade_cell(cell)
        if task is None:
            exec(compile(cell.source, "<cell>", "exec"), names)
            continue
        for tree, blob in asked[task]:
            answer(Question.unpack(tree, blob), names)
