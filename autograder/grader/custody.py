"""Run a notebook in a sandbox, ask the questions in place of its grade cells, and bring back the evidence.

A task's grade cell is never run: in its place the grader asks. Cells with asserts of the instructor's own are run. If a
cell or a question ends the process, the notebook is run again without it, so that nothing else is lost.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from pathlib import Path
from typing import Any

from autograder.checks.answer import FRAME, Answer
from autograder.checks.catalogue import tasks_of
from autograder.checks.task import PUBLIC_SEED, Task
from autograder.executions.records import how_it_failed
from autograder.grader.asserted_cells import cut_off, names_changed, request_to_keep, request_to_run
from autograder.grader.sandbox_outputs import Room, error_output, outputs_from
from autograder.grader.sandbox_process import SandboxEndedError, SandboxProcess, compile_ahead, warm_ahead
from autograder.judging.evidence import Evidence
from autograder.notebooks.asserted_cells import (
    asks_for_a_check,
    is_asserted,
)
from autograder.notebooks.reading import read_submission, task_of_grade_cell
from autograder.probes.errors import out_of_time
from autograder.probes.question import Question
from autograder.sandbox.limits import Limits
from autograder.tasks.dealing import versions_in
from autograder.tasks.folders import exercise_of
from autograder.wire.outcome import Outcome

MOST_EXECUTIONS = 1_000_000
"""Limit on an execution count; a higher one is forged and dropped."""


@dataclasses.dataclass
class Custody:
    """What running one notebook brought back.

    Attributes:
        evidence: the answers to all questions.
        outputs: by a code cell's index, its outputs in nbformat's form.
        counts: by a code cell's index, its execution count.
        ended: by a cell's index or a task's name, why it ended the process or had to be ended.
        changed: by the index of a cell with asserts, what the notebook had changed beneath it, which was put back.
        asked: by check id, a digest of the questions; only of answers from a file.
    """

    evidence: Evidence
    outputs: dict[int, list[dict[str, Any]]] = dataclasses.field(default_factory=dict)
    counts: dict[int, int] = dataclasses.field(default_factory=dict)
    ended: dict[str, str] = dataclasses.field(default_factory=dict)
    changed: dict[int, list[str]] = dataclasses.field(default_factory=dict)
    asked: dict[str, str] = dataclasses.field(default_factory=dict)


class _ProcessEnded(Exception):  # noqa: N818  (not an error of ours)
    """Raised when a cell (by index) or a task (by name) ended the process."""

    def __init__(self, place: int | str, end: SandboxEndedError) -> None:
        self.place, self.end = place, end


class NotebookRun:
    """The run of one notebook, in new sandboxes until none of its cells and questions ends its process."""

    def __init__(
        self,
        cells: list[dict[str, Any]],
        tasks: dict[str, Task],
        seed: bytes,
        limits: Limits,
        device: str = "cpu",
        files: bytes = b"",
    ) -> None:
        """
        Args:
            cells: the notebook's cells in nbformat's form.
            tasks: the exercise's tasks by name. Those without a grade cell are asked at the end.
            seed: the seed of further inputs.
            limits: the limits for its code.
            device: the type of device where it runs and is asked.
            files: what lies beside the notebook, as from `pack_files`.
        """
        self.cells, self.tasks, self.seed, self.limits, self.device = cells, tasks, seed, limits, device
        self.files = files
        self.fatal: dict[int | str, SandboxEndedError] = {}
        self.stopped: dict[str, str] = {}
        self.room = Room()
        self.deadline = time.monotonic() + limits.notebook

    def custody(self) -> Custody:
        """Run the notebook; return its outputs and the evidence, in which every question has an answer or an error."""
        checks = [check for task in self.tasks.values() for check in task.checks]
        if checks:
            compile_ahead((case.question for check in checks for case in check.public_cases), self.device)
        warm_ahead((cell for cell in self.cells if cell["cell_type"] == "code"), self.device)
        while True:
            try:
                with SandboxProcess(self.limits, self.device, self.files) as sandbox:
                    custody = self._run_through(sandbox)
                    custody.ended = {str(place): end.reason for place, end in self.fatal.items()}
                    return custody
            except _ProcessEnded as found:
                self.fatal[found.place] = found.end

    def _run_through(self, sandbox: SandboxProcess) -> Custody:
        custody = Custody(Evidence(self.seed, self.device))
        self.room = Room()
        waiting = dict(self.tasks)
        self._keep(sandbox)
        for index, cell in enumerate(self.cells):
            name = task_of_grade_cell(cell)
            if name in waiting:
                self._ask(sandbox, waiting.pop(name), custody)
            elif self._is_run(cell, name):
                self._run_cell(sandbox, index, cell, custody)
        for task in waiting.values():
            self._ask(sandbox, task, custody)
        return custody

    def _seconds(self, most: float) -> float:
        return min(most, self.deadline - time.monotonic())

    def _keep(self, sandbox: SandboxProcess) -> None:
        """Have the sandbox keep what cells with asserts rely on, if there are any."""
        request = request_to_keep(self.cells, self.tasks)
        with contextlib.suppress(SandboxEndedError):  # the first cell will meet it
            if request is not None:
                sandbox.request(request, seconds=self._seconds(self.limits.cell))

    def _is_run(self, cell: dict[str, Any], name: str | None) -> bool:
        if cell["cell_type"] != "code" or not cell["source"].strip() or name in self.tasks:
            return False
        return name is None or not asks_for_a_check(cell, self.cells, self.tasks)

    def _run_cell(self, sandbox: SandboxProcess, index: int, cell: dict[str, Any], custody: Custody) -> None:
        asserted = is_asserted(cell, self.tasks)
        seconds = self._seconds(self.limits.cell)
        if index in self.fatal:
            custody.outputs[index] = [self._stopped(self.fatal[index])]
            return
        if seconds <= 0:
            custody.outputs[index] = [error_output("OutOfTime", "the notebook's time was over before this cell")]
            return
        try:
            reply, _, late = sandbox.request(request_to_run(cell, asserted=asserted), seconds=seconds)
        except SandboxEndedError as end:
            raise _ProcessEnded(index, end) from None
        custody.outputs[index] = outputs_from(reply.get("outputs"), self.room)
        count = reply.get("count")  # the student's process may have written it
        if type(count) is int and 0 <= count <= MOST_EXECUTIONS:
            custody.counts[index] = count
        if asserted:
            custody.changed[index] = names_changed(reply)
            custody.outputs[index] += cut_off(reply, custody.outputs[index])
        if late:
            custody.outputs[index].append(self._stopped(SandboxEndedError(Outcome.TIME, "")))
        self._note_stop(index, custody.outputs[index])

    def _note_stop(self, index: int, outputs: list[dict[str, Any]]) -> None:
        """Note why a task's own cell stopped, which explains a name that it then does not define."""
        meta = self.cells[index]["metadata"].get("nbgrader")
        name = meta.get("grade_id") if isinstance(meta, dict) else None
        for output in outputs:
            if name in self.tasks and isinstance(output, dict) and output.get("output_type") == "error":
                self.stopped[name] = how_it_failed(str(output.get("ename")), str(output.get("evalue")))

    def _ask(self, sandbox: SandboxProcess, task: Task, custody: Custody) -> None:
        def answer(question: Question) -> Answer:
            seconds = self._seconds(self.limits.question)
            if task.name in self.fatal:
                end = self.fatal[task.name]
                return Answer({"error": {"kind": end.kind, "reason": end.reason, "seconds": self.limits.question}})
            if seconds <= 0:
                return Answer({"error": {"kind": Outcome.UNASKED, "reason": "The notebook's time was over."}})
            try:
                reply, raw, late = sandbox.ask(question, seconds=seconds, room=FRAME)
            except SandboxEndedError as end:
                raise _ProcessEnded(task.name, end) from None
            if late:
                return Answer({"error": out_of_time(reply.get("error"), self.limits.question)})
            error = reply.get("error")
            if isinstance(error, dict) and error.get("kind") == Outcome.MISSING:
                for name, stop in self.stopped.items():
                    if error.get("name") in self.tasks[name].defines:
                        error["because"] = f"its cell {stop}"
            return Answer(reply, raw)

        custody.evidence.ask(task, answer)

    def _stopped(self, end: SandboxEndedError) -> dict[str, Any]:
        if end.kind == Outcome.TIME:
            limit = f"{self.limits.cell:g} s"
            return error_output("OutOfTime", f"this cell did not finish within {limit} and was stopped")
        return error_output("ProcessEnded", f"this cell ended the whole process: {end.reason}")


def evidence_of_file(path: Path, limits: Limits | None = None, device: str = "cpu") -> Evidence:
    """Run a notebook file and ask all questions of its exercise, in the versions that it names, with the public seed.

    Args:
        path: the file, named after its exercise as it is or as a student's copy.
        limits: the limits for its code.
        device: the type of device where it runs and is asked.

    Raises:
        UnreadableNotebookError: if the file is not a notebook.
    """
    cells, exercise = read_submission(path.read_bytes()).cells, exercise_of(path.stem)
    tasks = tasks_of(exercise, versions_in(cells, exercise))
    return NotebookRun(cells, tasks, PUBLIC_SEED, limits or Limits(), device).custody().evidence
