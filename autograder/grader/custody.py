"""Run a notebook in a sandbox, ask its questions where they stand, and bring back the evidence.

A grade cell is never run: it is where the grader asks. A cell or a question that had to be killed with its
process costs only itself: the notebook is run again without it.
"""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

from autograder.checks.answers import Answer
from autograder.checks.catalogue import tasks_of
from autograder.checks.task import PUBLIC_SEED, Task
from autograder.grader.evidence import Evidence
from autograder.grader.sandbox_process import SandboxEndedError, SandboxProcess
from autograder.notebooks.reading import GRADE_ID, read_submission
from autograder.probes.question import Question


@dataclasses.dataclass(frozen=True)
class Limits:
    """How long student code may run, in seconds of wall time."""

    cell: float = 30.0
    question: float = 10.0
    notebook: float = 300.0


@dataclasses.dataclass
class Custody:
    """What running one notebook brought back.

    Attributes:
        evidence: the answers to all questions.
        outputs: for each code cell that ran, by its index, its outputs as nbformat has them.
        counts: execution counts, likewise.
    """

    evidence: Evidence
    outputs: dict[int, list[dict]] = dataclasses.field(default_factory=dict)
    counts: dict[int, int] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class _Guilty(Exception):  # noqa: N818
    """A cell, or a task, that took the process with it; the rest is run again without it."""

    place: int | str
    error: dict


def run_notebook(cells: list[dict], tasks: dict[str, Task], seed: bytes, limits: Limits) -> Custody:
    """Run a notebook's cells in a sandbox and ask each task at its grade cell.

    Args:
        cells: the notebook's cells, as nbformat has them.
        tasks: the exercise's tasks by name. Those without a grade cell are asked at the end.
        seed: what further inputs are drawn from.
        limits: time allowed.

    Returns:
        The outputs and the evidence. Every question has an answer, if only one that says why not.
    """
    guilty: dict[int | str, dict] = {}
    deadline = time.monotonic() + limits.notebook
    while True:
        try:
            return _run_once(cells, tasks, seed, limits, guilty, deadline)
        except _Guilty as found:
            guilty[found.place] = found.error


def _run_once(
    cells: list[dict],
    tasks: dict[str, Task],
    seed: bytes,
    limits: Limits,
    guilty: dict[int | str, dict],
    deadline: float,
) -> Custody:
    custody = Custody(Evidence(seed))
    asked = set()
    with SandboxProcess() as sandbox:
        for index, cell in enumerate(cells):
            name = task_of_grade_cell(cell)
            if name in tasks:
                asked.add(name)
                _ask(sandbox, tasks[name], custody, limits, guilty, deadline)
            elif cell["cell_type"] == "code" and cell["source"].strip():
                _run_cell(sandbox, index, cell["source"], custody, limits, guilty, deadline)
        for name, task in tasks.items():
            if name not in asked:
                _ask(sandbox, task, custody, limits, guilty, deadline)
    return custody


def task_of_grade_cell(cell: dict) -> str | None:
    """The task whose grade cell this is, or None."""
    meta = cell["metadata"].get("nbgrader") or {}
    if not meta.get("grade") or meta.get("solution") or cell["cell_type"] != "code":
        return None
    return meta["grade_id"].removeprefix(GRADE_ID)


def _run_cell(
    sandbox: SandboxProcess,
    index: int,
    source: str,
    custody: Custody,
    limits: Limits,
    guilty: dict[int | str, dict],
    deadline: float,
) -> None:
    left = min(limits.cell, deadline - time.monotonic())
    if index in guilty or left <= 0:
        custody.outputs[index] = [_as_output(guilty.get(index, {"kind": "time"}), limits)]
        return
    try:
        reply, _, late = sandbox.request({"op": "run", "source": source}, seconds=left)
    except SandboxEndedError as end:
        raise _Guilty(index, {"kind": end.kind, "reason": end.reason}) from None
    custody.outputs[index] = list(reply.get("outputs", []))
    if isinstance(reply.get("count"), int):
        custody.counts[index] = reply["count"]
    if late:
        custody.outputs[index].append(_as_output({"kind": "time"}, limits))


def _ask(
    sandbox: SandboxProcess,
    task: Task,
    custody: Custody,
    limits: Limits,
    guilty: dict[int | str, dict],
    deadline: float,
) -> None:
    def answer(question: Question) -> Answer:
        if task.name in guilty:
            return Answer({"error": guilty[task.name]})
        left = min(limits.question, deadline - time.monotonic())
        if left <= 0:
            return Answer({"error": {"kind": "unasked", "reason": "The notebook's time was over."}})
        tree, blob = question.pack()
        try:
            request = {"op": "ask", "question": tree}
            reply, raw, late = sandbox.request(request, blob, seconds=left)
        except SandboxEndedError as end:
            error = {"kind": end.kind, "reason": end.reason, "seconds": limits.question}
            raise _Guilty(task.name, error) from None
        if late:
            return Answer({"error": {"kind": "time", "seconds": limits.question}})
        return Answer(reply, raw)

    custody.evidence.ask(task, answer)


def _as_output(error: dict, limits: Limits) -> dict:
    """An output that says that a cell was stopped."""
    if error["kind"] == "time":
        name, said = "OutOfTime", f"this cell did not finish within {limits.cell:g} s and was stopped"
    else:
        name, said = "ProcessEnded", f"this cell ended the whole process: {error['reason']}"
    return {"output_type": "error", "ename": name, "evalue": said, "traceback": [f"{name}: {said}"]}


def evidence_of_file(path: Path, limits: Limits | None = None) -> Evidence:
    """Run a notebook file and ask all its exercise's questions, with the draws that everybody sees.

    Raises:
        UnreadableNotebookError: where the file is no notebook.
    """
    tasks = tasks_of(path.stem)
    cells = read_submission(path.read_bytes())["cells"]
    return run_notebook(cells, tasks, PUBLIC_SEED, limits or Limits()).evidence
