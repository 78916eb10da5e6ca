"""Grade one notebook: run it in a sandbox, judge the answers, write the outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from nbformat import NotebookNode

from autograder.checks.catalogue import graded_tasks
from autograder.grader.custody import Custody, NotebookRun
from autograder.grader.fingerprint import fingerprint, unreadable
from autograder.grader.judge import judge
from autograder.grader.judging_limits import MEMORY
from autograder.grader.outputs import not_a_check
from autograder.grader.secret_seed import secret_seed, submission_seed
from autograder.grader.verdict import VERDICT, Verdict
from autograder.grader.weights import weighed, weights
from autograder.notebooks.reading import task_of_grade_cell
from autograder.report.html import verdict_as_html
from autograder.report.text import verdict_as_text
from autograder.supervisor.limits import Limits

FINEST = 1e9
"""Steps in a point, where a task's points were scaled."""


def grade(
    notebook: NotebookNode, exercise: str, gradebook: Path, limits: Limits, variant: str = "", device: str = "cpu"
) -> dict[str, Verdict]:
    """Run and judge a submission; its cells' outputs become those of the run, and of the verdicts.

    Args:
        notebook: the submission, its grade cells repaired; changed in place.
        exercise: "01_scalar_graphs".
        gradebook: the folder that holds the secret seed.
        limits: what the student's code may use.
        variant: the cohort.
        device: the type of device where it runs and is asked.

    Returns:
        A verdict for every task of the exercise; none where the course has no checks for it.
    """
    custody = None
    if unreadable(notebook) is None:
        seed = submission_seed(secret_seed(gradebook), fingerprint(notebook), variant)
        custody = NotebookRun(notebook.cells, graded_tasks(exercise), seed, limits, device).custody()
    return conclude(notebook, exercise, custody)


def conclude(
    notebook: NotebookNode, exercise: str, custody: Custody | None, worth: Mapping[str, float] | None = None
) -> dict[str, Verdict]:
    """Judge what a run brought back and write the outputs; no student code is run.

    Args:
        notebook: the submission; changed in place.
        exercise: "01_scalar_graphs".
        custody: None where the notebook could not be read.
        worth: points by task; those of the notebook's grade cells where left out.
    """
    tasks = graded_tasks(exercise)
    if custody is None:
        reason = unreadable(notebook) or "The notebook was not run."
        verdicts = {name: Verdict.nothing(task, "unreadable", reason) for name, task in tasks.items()}
    else:
        verdicts = judge().verdicts(tasks, custody.evidence, MEMORY)
    worth = weights(notebook.cells) if worth is None else worth
    verdicts = weighed(verdicts, worth)
    write_outputs(notebook, custody, verdicts)
    return verdicts


def write_outputs(notebook: NotebookNode, custody: Custody | None, verdicts: dict[str, Verdict]) -> None:
    """Put the outputs of the run into the cells, and verdicts into the grade cells."""
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        task = task_of_grade_cell(cell)
        if task in verdicts:
            cell.outputs = verdict_outputs(verdicts[task])
        elif task is not None:
            cell.outputs = [NotebookNode(not_a_check())]
        elif custody is not None:
            outputs = custody.outputs.get(index, [])
            cell.outputs = [NotebookNode(output) for output in outputs if isinstance(output, dict)]
            cell.execution_count = custody.counts.get(index)


def verdict_outputs(verdict: Verdict) -> list[NotebookNode]:
    """The display of a check and then its points, which is what nbgrader reads."""
    display = {
        "output_type": "display_data",
        "metadata": {},
        "data": {
            "text/html": verdict_as_html(verdict),
            "text/plain": verdict_as_text(verdict, drawn=True),
            VERDICT: verdict.as_data(picture=True),
        },
    }
    points = {
        "output_type": "execute_result",
        "metadata": {},
        "execution_count": None,
        "data": {"text/plain": _number(min(max(verdict.points, 0.0), verdict.maximum))},
    }
    return [NotebookNode(display), NotebookNode(points)]


def _number(points: float) -> str:
    """Points as nbgrader reads them, which refuses a number above the cell's maximum: never rounded up."""
    return f"{math.floor(points * FINEST + 0.001) / FINEST:.12g}"
