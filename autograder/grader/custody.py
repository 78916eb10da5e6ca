"""Run a notebook in a sandbox, ask its questions where they stand, and bring back the evidence.

A grade cell is never run: it is where the grader asks. A cell or a task that took the process with it costs
only itself: the notebook is run again without it.
"""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

from autograder.checks.answer import FRAME, Answer
from autograder.checks.catalogue import tasks_of
from autograder.checks.task import PUBLIC_SEED, Task
from autograder.executions.records import how_it_failed
from autograder.grader.evidence import Evidence
from autograder.grader.outputs import Room, error_output, outputs_from
from autograder.grader.sandbox_process import SandboxEndedError, SandboxProcess
from autograder.notebooks.reading import read_submission, task_of_grade_cell
from autograder.probes.question import Question
from autograder.supervisor.limits import Limits

MOST_EXECUTIONS = 1_000_000
"""A higher count of executions is a forged one, and is left out."""


@dataclasses.dataclass
class Custody:
    """What running one notebook brought back.

    Attributes:
        evidence: the answers to all questions.
        outputs: for each code cell that ran, by its index, its outputs as nbformat has them.
        counts: execution counts, likewise.
        ended: what ended the process or had to be ended (a cell's index or a task's name), and why.
        asked: of answers that come from a file, for each check's id a digest of the questions.
    """

    evidence: Evidence
    outputs: dict[int, list[dict]] = dataclasses.field(default_factory=dict)
    counts: dict[int, int] = dataclasses.field(default_factory=dict)
    ended: dict[str, str] = dataclasses.field(default_factory=dict)
    asked: dict[str, str] = dataclasses.field(default_factory=dict)


class _Guilty(Exception):  # noqa: N818  (not an error of ours)
    """A cell (by index) or a task (by name) took the process with it."""

    def __init__(self, place: int | str, end: SandboxEndedError) -> None:
        self.place, self.end = place, end


class NotebookRun:
    """One notebook on its way through sandboxes, until nothing in it ends its process any more."""

    def __init__(
        self, cells: list[dict], tasks: dict[str, Task], seed: bytes, limits: Limits, device: str = "cpu"
    ) -> None:
        """
        Args:
            cells: the notebook's cells, as nbformat has them.
            tasks: the exercise's tasks by name. Those without a grade cell are asked at the end.
            seed: what further inputs are drawn from.
            limits: what its code may use.
            device: the type of device where it runs and is asked.
        """
        self.cells, self.tasks, self.seed, self.limits, self.device = cells, tasks, seed, limits, device
        self.guilty: dict[int | str, SandboxEndedError] = {}
        self.stopped: dict[str, str] = {}
        self.room = Room()
        self.deadline = time.monotonic() + limits.notebook

    def custody(self) -> Custody:
        """The outputs and the evidence. Every question has an answer, if only one that says why not."""
        while True:
            try:
                with SandboxProcess(self.limits, self.device) as sandbox:
                    custody = self._run_through(sandbox)
                    custody.ended = {str(place): end.reason for place, end in self.guilty.items()}
                    return custody
            except _Guilty as found:
                self.guilty[found.place] = found.end

    def _run_through(self, sandbox: SandboxProcess) -> Custody:
        custody = Custody(Evidence(self.seed, self.device))
        self.room = Room()
        waiting = dict(self.tasks)
        for index, cell in enumerate(self.cells):
            name = task_of_grade_cell(cell)
            if name in waiting:
                self._ask(sandbox, waiting.pop(name), custody)
            elif name is None and cell["cell_type"] == "code" and cell["source"].strip():
                self._run_cell(sandbox, index, cell["source"], custody)
        for task in waiting.values():
            self._ask(sandbox, task, custody)
        return custody

    def _seconds(self, most: float) -> float:
        return min(most, self.deadline - time.monotonic())

    def _run_cell(self, sandbox: SandboxProcess, index: int, source: str, custody: Custody) -> None:
        seconds = self._seconds(self.limits.cell)
        if index in self.guilty:
            custody.outputs[index] = [self._stopped(self.guilty[index])]
            return
        if seconds <= 0:
            custody.outputs[index] = [error_output("OutOfTime", "the notebook's time was over before this cell")]
            return
        try:
            reply, _, late = sandbox.request({"op": "run", "source": source}, seconds=seconds)
        except SandboxEndedError as end:
            raise _Guilty(index, end) from None
        custody.outputs[index] = outputs_from(reply.get("outputs"), self.room)
        count = reply.get("count")  # the student's process may have written it
        if type(count) is int and 0 <= count <= MOST_EXECUTIONS:
            custody.counts[index] = count
        if late:
            custody.outputs[index].append(self._stopped(SandboxEndedError("time", "")))
        self._note_stop(index, custody.outputs[index])

    def _note_stop(self, index: int, outputs: list[dict]) -> None:
        """Why a task's own cell stopped: that is the reason where it then defines nothing."""
        meta = self.cells[index]["metadata"].get("nbgrader")
        name = meta.get("grade_id") if isinstance(meta, dict) else None
        for output in outputs:
            if name in self.tasks and isinstance(output, dict) and output.get("output_type") == "error":
                self.stopped[name] = how_it_failed(str(output.get("ename")), str(output.get("evalue")))

    def _ask(self, sandbox: SandboxProcess, task: Task, custody: Custody) -> None:
        def answer(question: Question) -> Answer:
            seconds = self._seconds(self.limits.question)
            if task.name in self.guilty:
                end = self.guilty[task.name]
                return Answer({"error": {"kind": end.kind, "reason": end.reason, "seconds": self.limits.question}})
            if seconds <= 0:
                return Answer({"error": {"kind": "unasked", "reason": "The notebook's time was over."}})
            tree, blob = question.pack()
            try:
                reply, raw, late = sandbox.request({"op": "ask", "question": tree}, blob, seconds=seconds, room=FRAME)
            except SandboxEndedError as end:
                raise _Guilty(task.name, end) from None
            if late:
                return Answer({"error": {"kind": "time", "seconds": self.limits.question}})
            error = reply.get("error")
            if task.name in self.stopped and isinstance(error, dict) and error.get("kind") == "missing":
                error["because"] = f"its cell {self.stopped[task.name]}"
            return Answer(reply, raw)

        custody.evidence.ask(task, answer)

    def _stopped(self, end: SandboxEndedError) -> dict:
        if end.kind == "time":
            limit = f"{self.limits.cell:g} s"
            return error_output("OutOfTime", f"this cell did not finish within {limit} and was stopped")
        return error_output("ProcessEnded", f"this cell ended the whole process: {end.reason}")


def evidence_of_file(path: Path, limits: Limits | None = None, device: str = "cpu") -> Evidence:
    """Run a notebook file and ask all its exercise's questions, with the draws that everybody sees.

    Args:
        path: the file.
        limits: what its code may use.
        device: the type of device where it runs and is asked.

    Raises:
        UnreadableNotebookError: where the file is no notebook.
    """
    cells = read_submission(path.read_bytes()).cells
    return NotebookRun(cells, tasks_of(path.stem), PUBLIC_SEED, limits or Limits(), device).custody().evidence
