"""Evidence: the answers of one submission. Verdicts are computed from it alone."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from typing import Any

from autograder.checks.answer import Answer, Size
from autograder.checks.answers import Answers
from autograder.checks.task import PUBLIC_SEED, Case, Check, Task
from autograder.probes.question import Question
from autograder.wire.outcome import Outcome


@dataclasses.dataclass
class Evidence:
    """The answers of one submission.

    Attributes:
        seed: the seed of its further inputs.
        device: the type of device where its questions are asked.
        answers: by check id, the answers in the order of the check's cases.
    """

    seed: bytes = PUBLIC_SEED
    device: str = "cpu"
    answers: dict[str, list[Answer]] = dataclasses.field(default_factory=dict)
    _cases: dict[str, list[Case]] = dataclasses.field(default_factory=dict, repr=False)

    def cases(self, check: Check) -> list[Case]:
        """Return the cases of a check; they are drawn once."""
        if check.id not in self._cases:
            self._cases[check.id] = [case.on(self.device) for case in check.cases(self.seed)]
        return self._cases[check.id]

    def answers_to(self, check: Check) -> Answers:
        """Return the cases of a check with their answers, for the check's test."""
        others: list[tuple[Case, Answer]] = []
        for one in check.task.checks:
            if one is not check:
                others += zip(self.cases(one), self.answers.get(one.id, []), strict=False)
        return Answers(check, self.cases(check), self.answers.get(check.id, []), others)

    def questions(self, check: Check) -> str:
        """Return a digest of a check's questions, which tells whether stored answers belong to them."""
        digests = b"".join(case.question.digest for case in self.cases(check))
        return hashlib.sha256(digests).hexdigest()[:16]

    def _kept(self, check: Check, case: Case, answer: Answer) -> Answer:
        def need() -> Size:
            return Size.of(case.question.inputs, self.answers_to(check).expected(case))

        return answer.kept(case.question.device, need)

    def ask(self, task: Task, answer: Callable[[Question], Answer]) -> None:
        """Ask all questions of a task in order and keep the answers.

        After a timeout, or an answer that ended the process, the task's other questions are not asked, because each
        would cost as much again.
        """
        given_up: dict[str, Any] | None = None
        for check in task.checks:
            kept = self.answers[check.id] = []
            for case in self.cases(check):
                if given_up is None:
                    kept.append(self._kept(check, case, answer(case.question)))
                    error = kept[-1].envelope.get("error")
                    if isinstance(error, dict) and error.get("kind") in (Outcome.TIME, Outcome.KILLED):
                        given_up = error
                else:
                    kept.append(Answer({"error": given_up | {"asked": False}}))
