"""A warm sandbox in which one mutant after another is asked its task's questions and judged.

A process per mutant would cost 3 s each; here a mutant costs its questions. Before each mutant every name of
the one before is deleted and the cells that it needs run again, so nothing is passed on.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.checks.answer import Answer
from autograder.checks.task import Check, Task
from autograder.grader.evidence import Evidence
from autograder.grader.judge import judge
from autograder.grader.sandbox_process import SandboxEndedError, SandboxProcess
from autograder.grader.verdict import Verdict
from autograder.probes.question import Question

SEED = b"mutants"
QUESTION_SECONDS = 2.0
CELL_SECONDS = 5.0
# A mutant's endless loop may fill gigabytes before its time is over.
LIMIT_MEMORY = """
import pathlib, resource
_pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (_pages * resource.getpagesize() + (1 << 30),) * 2)
"""
FORGET = """
_kept = {"In", "Out", "get_ipython", "exit", "quit"}
for _name in [name for name in globals() if name[0] != "_" and name not in _kept]:
    del globals()[_name]
"""
_one_judge = threading.Lock()  # the judge answers whoever asks, so one at a time


class Bench:
    """A sandbox that is replaced when a mutant takes it along."""

    def __init__(self, seed: bytes = SEED, question_seconds: float = QUESTION_SECONDS) -> None:
        self.seed, self.question_seconds = seed, question_seconds
        self._sandbox: SandboxProcess | None = None

    def killed_by(self, task: Task, source: str, before: Sequence[str] = ()) -> str | None:
        """The first check that takes points from a solution cell; None where it keeps them all.

        Args:
            task: the task that is asked.
            source: its solution cell.
            before: cells that run first; see `needed`.
        """
        try:
            self._run(FORGET)
            for cell in before:
                self._run(cell)
            self._run(source)
        except SandboxEndedError:
            self.close()
            return "the cell itself"
        evidence = Evidence(self.seed)
        for check in task.checks:
            if not self._answers(evidence, check) or not _passes(task, check, evidence):
                return check.title
        return None

    def verdict(self, task: Task, source: str, before: Sequence[str] = ()) -> Verdict:
        """What a student who hands in this solution cell gets."""
        evidence = Evidence(self.seed)
        for cell in (FORGET, *before, source):
            self._run(cell)
        evidence.ask(task, self._answer)
        with _one_judge:
            return judge().verdicts([task.name], evidence)[task.name]

    def _answer(self, question: Question) -> Answer:
        tree, blob = question.pack()
        request: dict[str, Any] = {"op": "ask", "question": tree}
        try:
            reply, raw, late = self._started().request(request, blob, seconds=self.question_seconds)
        except SandboxEndedError as end:
            self.close()
            return Answer({"error": {"kind": end.kind, "reason": end.reason, "seconds": self.question_seconds}})
        return Answer({"error": {"kind": "time", "seconds": self.question_seconds}}) if late else Answer(reply, raw)

    def _answers(self, evidence: Evidence, check: Check) -> bool:
        """Ask a check's questions; false at the first that brings an error, which costs points in any case."""
        kept = evidence.answers[check.id] = []
        with _one_judge:  # some draws run their program first, and what it prints is caught
            cases = check.cases(self.seed)
        for case in cases:
            answer = self._answer(case.question)
            if answer.envelope.get("error") is not None or "seen" not in answer.envelope:
                return False
            kept.append(answer)
        return True

    def _run(self, source: str) -> None:
        self._started().request({"op": "run", "source": source}, seconds=CELL_SECONDS)

    def _started(self) -> SandboxProcess:
        if self._sandbox is None:
            self._sandbox = SandboxProcess()
            self._sandbox.request({"op": "run", "source": LIMIT_MEMORY}, seconds=CELL_SECONDS)
        return self._sandbox

    def close(self) -> None:
        """End the sandbox; the next question starts another."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()


def needed(source: str, cells: Mapping[str, str]) -> list[str]:
    """Those cells that define a name which `source`, or one of them, uses and does not define."""
    chosen: list[str] = []
    missing = _used(source) - _defined(source)
    for cell in reversed(list(cells.values())):
        if cell != source and missing & _defined(cell):
            chosen.insert(0, cell)
            missing |= _used(cell) - _defined(cell)
    return chosen


def _used(source: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def _defined(source: str) -> set[str]:
    """Functions and classes only: an import is each cell's own affair."""
    return {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def _passes(task: Task, check: Check, evidence: Evidence) -> bool:
    with _one_judge:
        verdict = judge().verdicts([task.name], evidence)[task.name]
    return verdict.results[task.checks.index(check)].kind == "passed"
