"""Evidence: all that is known of one submission's answers. Verdicts are computed from it alone."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable

from autograder.checks.answer import Answer, Size
from autograder.checks.answers import Answers
from autograder.checks.task import PUBLIC_SEED, Case, Check, Task
from autograder.probes.question import Question


@dataclasses.dataclass
class Evidence:
    """The answers of one submission.

    Attributes:
        seed: what its further inputs are drawn from.
        device: the type of device where its questions are asked.
        answers: for each check's id, the answers in the order of its cases.
    """

    seed: bytes = PUBLIC_SEED
    device: str = "cpu"
    answers: dict[str, list[Answer]] = dataclasses.field(default_factory=dict)
    _cases: dict[str, list[Case]] = dataclasses.field(default_factory=dict, repr=False)

    def cases(self, check: Check) -> list[Case]:
        """The cases of a check, drawn once."""
        if check.id not in self._cases:
            cases = check.cases(self.seed)
            self._cases[check.id] = [dataclasses.replace(c, question=c.question.on(self.device)) for c in cases]
        return self._cases[check.id]

    def answers_to(self, check: Check) -> Answers:
        """The cases of a check with their answers."""
        return Answers(check, self.cases(check), self.answers.get(check.id, []))

    def questions(self, check: Check) -> str:
        """A digest of a check's questions, which tells whether stored answers are answers to them."""
        packed = [case.question.pack() for case in self.cases(check)]
        text = json.dumps([[tree, hashlib.sha256(blob).hexdigest()] for tree, blob in packed])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _kept(self, check: Check, case: Case, answer: Answer) -> Answer:
        def need() -> Size:
            return Size.of(case.question.inputs, self.answers_to(check).expected(case))

        return answer.kept(case.question.device, need)

    def ask(self, task: Task, answer: Callable[[Question], Answer]) -> None:
        """Ask all questions of a task in order and keep the answers.

        After an answer that took all its time, or ended the process, the task's other questions are not
        asked: they would cost as much again.
        """
        given_up: dict | None = None
        for check in task.checks:
            kept = self.answers[check.id] = []
            for case in self.cases(check):
                if given_up is None:
                    kept.append(self._kept(check, case, answer(case.question)))
                    error = kept[-1].envelope.get("error")
                    if isinstance(error, dict) and error.get("kind") in ("time", "killed"):
                        given_up = error
                else:
                    kept.append(Answer({"error": given_up | {"asked": False}}))
