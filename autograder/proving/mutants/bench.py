"""A warm sandbox that asks one mutant after another its task's questions, and judges the answers.

A process per mutant would cost 3 s each; here a mutant costs only its questions. Before each mutant, the bench deletes
the names that the previous one defined and reruns the cells that it needs, so no state is passed on. After a number of
mutants it takes another sandbox, because all replies of one, and its CPU time, count as one notebook's.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from typing import Any

from autograder.checks.answer import Answer
from autograder.checks.task import Check, Task
from autograder.diagnosis import Finding
from autograder.grader.sandbox_process import SandboxEndedError, SandboxProcess
from autograder.judging.evidence import Evidence
from autograder.judging.judge import judge
from autograder.probes.question import Question
from autograder.verdicts.verdict import Verdict
from autograder.wire.operation import Operation
from autograder.wire.outcome import Outcome

SEED = b"mutants"
QUESTION_SECONDS = 2.0
CELL_SECONDS = 5.0
RENEWED_AFTER = 40
"""Mutants in one sandbox: some 8,000 values each, of the 2,000,000 that a notebook's replies may have."""
# A mutant's endless loop may allocate gigabytes before its time is up.
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
_one_judge = threading.Lock()  # the judge is shared by all threads and not thread-safe


class Bench:
    """A sandbox for mutants, restarted when a mutant ends it."""

    def __init__(self, seed: bytes = SEED, question_seconds: float = QUESTION_SECONDS) -> None:
        self.seed, self.question_seconds = seed, question_seconds
        self._sandbox: SandboxProcess | None = None
        self._judged = 0
        self._evidence = Evidence(seed)

    def killed_by(self, task: Task, source: str, before: Sequence[str] = ()) -> str | None:
        """Return the title of the first check that fails a solution cell; None if it passes all.

        Args:
            task: the task whose questions are asked.
            source: the solution cell.
            before: cells to run first; see `needed`.
        """
        try:
            self._define(source, before)
        except SandboxEndedError:
            self.close()
            return "the cell itself"
        evidence = Evidence(self.seed)
        for check in sorted(task.checks, key=lambda check: bool(check.damage)):  # these judge all answers
            if not self._answers(evidence, check) or not _passes(task, check, evidence):
                return check.title
        return None

    def verdict(self, task: Task, source: str, before: Sequence[str] = ()) -> Verdict:
        """Return the verdict that a student gets for this solution cell."""
        self._evidence = Evidence(self.seed)
        self._define(source, before)
        self._evidence.ask(task, self.answer)
        with _one_judge:
            return judge().verdicts([task.label], self._evidence)[task.name]

    def judged_here(self, task: Task) -> None:
        """Judge the latest answers again, here, so that an exception of the check itself is raised."""
        for check in task.checks:
            with contextlib.suppress(Finding):
                check.test(self._evidence.answers_to(check))

    def answer(self, question: Question) -> Answer:
        """Ask the sandbox this question."""
        tree, blob = question.pack()
        request: dict[str, Any] = {"op": Operation.ASK, "question": tree}
        try:
            reply, raw, late = self._started().request(request, blob, seconds=self.question_seconds)
        except SandboxEndedError as end:
            self.close()
            return Answer({"error": {"kind": end.kind, "reason": end.reason, "seconds": self.question_seconds}})
        return (
            Answer({"error": {"kind": Outcome.TIME, "seconds": self.question_seconds}}) if late else Answer(reply, raw)
        )

    def _answers(self, evidence: Evidence, check: Check) -> bool:
        """Ask a check's questions; return False at the first error, which costs points in any case."""
        kept = evidence.answers[check.id] = []
        with _one_judge:  # some draws run a program and redirect stdout, which is global
            cases = check.cases(self.seed)
        for case in cases:
            answer = self.answer(case.question)
            if answer.envelope.get("error") is not None or "seen" not in answer.envelope:
                return False
            kept.append(answer)
        return True

    def _define(self, source: str, before: Sequence[str]) -> None:
        """Run the cells of one answer where no other has left a name."""
        self._judged += 1
        if self._judged % RENEWED_AFTER == 0:
            self.close()
        for cell in (FORGET, *before, source):
            self._run(cell)

    def _run(self, source: str) -> None:
        self._started().request({"op": Operation.RUN, "source": source}, seconds=CELL_SECONDS)

    def _started(self) -> SandboxProcess:
        if self._sandbox is None:
            self._sandbox = SandboxProcess()
            self._sandbox.request({"op": Operation.RUN, "source": LIMIT_MEMORY}, seconds=CELL_SECONDS)
        return self._sandbox

    def close(self) -> None:
        """End the sandbox; the next question starts a new one."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()


def _passes(task: Task, check: Check, evidence: Evidence) -> bool:
    with _one_judge:
        verdict = judge().verdicts([task.label], evidence)[task.name]
    return verdict.results[task.checks.index(check)].kind == Outcome.PASSED
