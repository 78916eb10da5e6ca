"""Grade one notebook: run it in a sandbox, judge the answers, write the outputs."""

from __future__ import annotations

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
from autograder.notebooks.reading import task_of_grade_cell
from autograder.report.html import verdict_as_html
from autograder.report.text import verdict_as_text
from autograder.supervisor.limits import Limits


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


def conclude(notebook: NotebookNode, exercise: str, custody: Custody | None) -> dict[str, Verdict]:
    """Judge what a run brought back and write the outputs; no student code is run.

    Args:
        custody: None where the notebook could not be read.
    """
    tasks = graded_tasks(exercise)
    if custody is None:
        reason = unreadable(notebook) or "The notebook was not run."
        verdicts = {name: Verdict.nothing(task, "unreadable", reason) for name, task in tasks.items()}
    else:
        verdicts = judge().verdicts(tasks, custody.evidence, MEMORY)
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
        "data": {"text/plain": f"{min(max(verdict.points, 0.0), verdict.maximum):g}"},
    }
    return [NotebookNode(display), NotebookNode(points)]
