"""Put a question to a cell in this process, and tell whether a check fails the answer.

A sandbox asks for a process; region mutants are right nearly everywhere and end, so they need none.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from types import CodeType
from typing import Any

from autograder.checks.agreement import Agreement
from autograder.checks.answer import Answer
from autograder.checks.answers import Answers
from autograder.checks.task import Case, Check
from autograder.comparison import Tolerance
from autograder.diagnosis import Finding
from autograder.diagnosis.explaining import Judged
from autograder.diagnosis.hypothesis import Hypothesis
from autograder.probes.answering import answer
from autograder.probes.question import Question

CELL = "<a region mutant>"


class Unexplained(Agreement):
    """Answers whose mistakes nobody looks for, which takes most of the time of judging wrong ones."""

    def _hypotheses(self, judged: list[Judged]) -> Iterator[Hypothesis]:
        return iter(())


class Undiagnosed(Answers):
    """The same for all answers of a check."""

    def agreement(self, tolerance: Tolerance) -> Agreement:
        """Make what compares all answers."""
        return Unexplained(self.task, tolerance)


def asked(
    question: Question, cells: Sequence[str], surround: Callable[[dict[str, Any]], None] = lambda names: None
) -> Answer:
    """Run cells in new names and ask a question of them.

    Args:
        question: what to ask.
        cells: the cells.
        surround: called with the names before the question.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        exec(_compiled(cell), names)
    surround(names)
    tree, blob = question.pack()
    return Answer(*answer(Question.unpack(tree, blob), names))


def fails(check: Check, case: Case, given: Answer) -> bool:
    """Whether the answer to one of a check's cases costs points: its own, or those of a check that is about damage."""
    try:
        check.test(Undiagnosed(check, [case], [given]))
        for other in check.task.checks:
            if other is not check and other.damage:
                list(Undiagnosed(other, [], [], [(case, given)]))
    except Finding:
        return True
    return False


@functools.lru_cache(256)
def _compiled(cell: str) -> CodeType:
    return compile(cell, CELL, "exec")
