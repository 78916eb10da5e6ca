"""A hypothesis says what the answer would have been under a named mistake.

The one that reproduces the student's numbers explains them. No thresholds, no guessing from one number.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

from autograder.comparison import CONTRACT, Tolerance, agree

CONFIRMED = object()
"""What `predict` returns where the student's answer itself shows the mistake."""


@dataclasses.dataclass(frozen=True)
class Mistake:
    """A named mistake of one task.

    Attributes:
        name: short, plain: "relu forgotten".
        sentence: what was seen and where to look, for the student; gives no solution away.
        answer: from a case's inputs to the answer that this mistake gives; None where the mistake shows
            in something other than the answer (a count, an exception, time).
    """

    name: str
    sentence: str
    answer: Callable[..., Any] | None = None

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """The answer under this mistake; None where it predicts none."""
        return None if self.answer is None else self.answer(*inputs)


class Finding(AssertionError):  # noqa: N818  (it is what a check found, not an error of ours)
    """Why a check gave no points, in the student's terms.

    Attributes:
        kind: "not_attempted", "missing", "raised", "time", "killed", "wrong" or "observed".
        seen: one sentence with what was seen.
        mistake: the named mistake that explains it, or None.
        example: a few lines of code that show it when they are run, or nothing.
    """

    def __init__(self, kind: str, seen: str, mistake: Any = None, example: str = "") -> None:
        super().__init__(seen)
        self.kind, self.seen, self.mistake, self.example = kind, seen, mistake, example


@dataclasses.dataclass(frozen=True)
class WrongCase:
    """One question whose answer is wrong."""

    inputs: tuple
    expected: Any
    got: Any


def explain(wrong: list[WrongCase], hypotheses: Iterable[Any], tolerance: Tolerance = CONTRACT) -> Any:
    """The hypothesis that reproduces the most wrong answers, the first of those that tie; or None.

    Args:
        wrong: the cases that disagree with the reference, at least one.
        hypotheses: objects with `predict(inputs, expected, got)`.
        tolerance: as in the comparison that found the cases wrong.
    """
    best, most = None, 0
    for hypothesis in hypotheses:
        explained = sum(_reproduces(hypothesis, case, tolerance) for case in wrong)
        if explained > most:
            best, most = hypothesis, explained
    return best


def _reproduces(hypothesis: Any, case: WrongCase, tolerance: Tolerance) -> bool:
    try:
        predicted = hypothesis.predict(case.inputs, case.expected, case.got)
    except ArithmeticError:  # the mistake has no answer here: a logarithm of a negative number, say
        return False
    if predicted is CONFIRMED:
        return True
    if predicted is None or agree(predicted, case.expected, tolerance):
        return False  # no answer, or one that is right on these inputs: it explains nothing
    return agree(case.got, predicted, tolerance)
