"""Grading of one notebook: run it in a sandbox, judge the answers, write the outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograder.checks.catalogue import UNDEALT, graded_tasks
from autograder.grader.asserted import asserted_verdict, errors_first, how_a_cell_stopped
from autograder.grader.custody import Custody, NotebookRun
from autograder.grader.fingerprint import fingerprint, unreadable
from autograder.grader.sandbox_outputs import NOT_RUN, error_output, not_a_check
from autograder.grader.secret_seed import secret_seed, submission_seed
from autograder.judging.judge import judge
from autograder.judging.time_and_memory import MEMORY
from autograder.notebooks.asserted_cells import asks_for_a_check
from autograder.notebooks.reading import task_of_grade_cell
from autograder.notebooks.weights import weights
from autograder.sandbox.limits import Limits
from autograder.verdicts.verdict import Verdict, weighted
from autograder.verdicts.verdict_outputs import display_of, outputs_of
from autograder.wire.outcome import Outcome


def grade(
    notebook: NotebookNode,
    exercise: str,
    gradebook: Path,
    limits: Limits,
    variant: str = "",
    device: str = "cpu",
    files: bytes = b"",
    versions: Mapping[str, int] = UNDEALT,
) -> dict[str, Verdict]:
    """Run and judge a submission, and replace its outputs by those of the run and the verdicts.

    Args:
        notebook: the submission with repaired grade cells; changed in place.
        exercise: "01_doubling".
        gradebook: the folder that holds the secret seed.
        limits: the limits for the student's code.
        variant: the cohort, which gets further inputs of its own.
        device: the type of device where it runs and is asked.
        files: what lies beside the notebook, as from `pack_files`.
        versions: by task, the version that was dealt to the student.

    Returns:
        The verdicts by task, those on cells with asserts of their own included.
    """
    custody = None
    if unreadable(notebook) is None:
        seed = submission_seed(secret_seed(gradebook), fingerprint(notebook), variant, files)
        custody = NotebookRun(notebook.cells, graded_tasks(exercise, versions), seed, limits, device, files).custody()
    return conclude(notebook, exercise, custody, versions=versions)


def conclude(
    notebook: NotebookNode,
    exercise: str,
    custody: Custody | None,
    worth: Mapping[str, float] | None = None,
    versions: Mapping[str, int] = UNDEALT,
) -> dict[str, Verdict]:
    """Judge what a run brought back and write the outputs, without running student code.

    Args:
        notebook: the submission; changed in place.
        exercise: "01_doubling".
        custody: None if the notebook could not be read.
        worth: points by task; those of the notebook's grade cells by default.
        versions: by task, the version that was dealt to the student.

    Returns:
        The verdicts by task, those on cells with asserts of their own included.
    """
    tasks = graded_tasks(exercise, versions)
    if custody is None:
        reason = unreadable(notebook) or "The notebook was not run."
        verdicts = {name: Verdict.nothing(task, Outcome.UNREADABLE, reason) for name, task in tasks.items()}
    else:
        verdicts = judge().verdicts([one.label for one in tasks.values()], custody.evidence, MEMORY) if tasks else {}
    worth = weights(notebook.cells) if worth is None else worth
    verdicts = weighted(verdicts, worth)
    return verdicts | write_outputs(notebook, custody, verdicts, exercise)


def write_outputs(
    notebook: NotebookNode, custody: Custody | None, verdicts: dict[str, Verdict], exercise: str
) -> dict[str, Verdict]:
    """Write the outputs of the run into the cells, and the verdicts into the grade cells.

    Returns:
        The verdicts on cells with asserts of their own, which follow from their outputs.
    """
    node: Callable[[dict[str, Any]], NotebookNode] = NotebookNode  # nbformat has no types
    reason = unreadable(notebook) or "The notebook was not run."
    asserted, stopped = dict[str, Verdict](), ""
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        task = task_of_grade_cell(cell)
        if task in verdicts:
            cell.outputs = list(map(node, outputs_of(verdicts[task])))
            continue
        if task is not None and asks_for_a_check(cell, notebook.cells, verdicts):
            cell.outputs = [node(not_a_check())]
            continue
        if custody is not None:
            outputs = custody.outputs.get(index, [])
            cell.outputs = [node(output) for output in outputs if isinstance(output, dict)]
            cell.execution_count = custody.counts.get(index)
        if task is None:
            stopped = stopped or how_a_cell_stopped(index, cell.outputs)
        else:
            if custody is None:
                cell.outputs = [node(error_output(NOT_RUN, reason))]
            changed = custody.changed.get(index, []) if custody is not None else []
            cell.outputs = errors_first(cell.outputs)
            verdict = asserted_verdict(cell, exercise, changed, stopped)
            asserted[verdict.cell] = verdict
            cell.outputs = [node(display_of(verdict)), *cell.outputs]
    return asserted
