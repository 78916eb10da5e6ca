"""A hypothesis says what the answer would have been under a named mistake.

The one that reproduces the student's numbers explains them. No thresholds, no guessing from one number.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

import torch

from autograder.comparison import CONTRACT, Tolerance, agree
from autograder.visible_text import visible

CONFIRMED = object()
"""What `predict` returns where the student's answer itself shows the mistake."""
OPERATOR = re.compile(r"(?<=RuntimeError: )\w+: (?=mat1 and mat2)")
"""torch 2.15 begins this message with the operator's name, 2.13 does not."""


@dataclasses.dataclass(frozen=True)
class Mistake:
    """A named mistake of one task.

    Attributes:
        name: short, plain: "relu forgotten".
        sentence: what was seen and where to look, for the student; gives no solution away.
        answer: from a case's inputs to the answer that this mistake gives; None where the mistake shows
            in something other than the answer (a count, an exception, time).
        raises: a regular expression for the exception that the mistake ends in, "TypeError: ...".
        afterwards: the exception comes from the program's own lines, which use what the task returned; or, where
            False, from inside the task; None where that makes no difference.
    """

    name: str
    sentence: str
    answer: Callable[..., Any] | None = None
    raises: str = ""
    afterwards: bool | None = None

    def explains(self, error: str, afterwards: bool) -> bool:
        """Whether it ends in this exception, "TypeError: ...", raised there."""
        here = self.afterwards is None or self.afterwards is afterwards
        return bool(self.raises) and here and re.search(self.raises, OPERATOR.sub("", error)) is not None

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """The answer under this mistake; None where it predicts none."""
        return None if self.answer is None else recalled(self.answer, inputs)


class _Same:
    """Inputs as a key: the same object, since equal tensors are not known to be equal without looking at them."""

    __slots__ = ("inputs",)

    def __init__(self, inputs: tuple) -> None:
        self.inputs = inputs

    def __hash__(self) -> int:
        return id(self.inputs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.inputs is self.inputs


def recalled(answer: Callable[..., Any], inputs: tuple) -> Any:
    """What `answer(*inputs)` gives, computed once for as long as the same case is asked about.

    All students are asked the public cases, and a student asks them again and again.
    """
    return _answered(answer, _Same(inputs))


@functools.lru_cache(8192)  # all public cases of the course under all mistakes are some 4,000
def _answered(answer: Callable[..., Any], same: _Same) -> Any:
    return answer(*same.inputs)


class Finding(AssertionError):  # noqa: N818  (it is what a check found, not an error of ours)
    """Why a check gave no points, in the student's terms.

    Attributes:
        kind: "not_attempted", "missing", "raised", "time", "killed", "wrong" or "observed".
        seen: one sentence with what was seen.
        mistake: the named mistake that explains it, or None.
        example: a few lines of code that show it when they are run, or nothing.
        picture: draws the graph with the wrong numbers marked; None where there is nothing to draw.
    """

    def __init__(self, kind: str, seen: str, mistake: Any = None, example: str = "", picture: Any = None) -> None:
        seen = visible(seen, kept="")  # it may hold a student's names, messages and source
        super().__init__(seen)
        self.kind, self.seen, self.mistake, self.example, self.picture = kind, seen, mistake, example, picture


@dataclasses.dataclass(frozen=True)
class Judged:
    """One question with what is right and what came."""

    inputs: tuple
    expected: Any
    got: Any
    is_right: bool


def explain(cases: list[Judged], hypotheses: Iterable[Any], tolerance: Tolerance = CONTRACT) -> Any:
    """The hypothesis that reproduces the most answers, right ones included; the first of those that tie.

    Args:
        cases: all cases of a check, at least one of them wrong.
        hypotheses: objects with `predict(inputs, expected, got)`.
        tolerance: as in the comparison that found the cases wrong.

    Returns:
        The hypothesis, or None where none reproduces a single wrong answer.
    """
    best, most = None, 0
    for hypothesis in hypotheses:
        fits = [reproduces(hypothesis, case, tolerance) for case in cases]
        wrong_ones = sum(fit for fit, case in zip(fits, cases, strict=True) if not case.is_right)
        if wrong_ones and sum(fits) > most:
            best, most = hypothesis, sum(fits)
        if most == len(cases):
            break
    return best


def reproduces(hypothesis: Any, case: Judged, tolerance: Tolerance) -> bool:
    """Whether the answer to this case is what the hypothesis predicts, or shows by itself that it holds."""
    try:
        predicted = hypothesis.predict(case.inputs, case.expected, case.got)
    except (
        Exception
    ):  # no answer here: a logarithm of a negative number, a graph too large; see tests/tasks/test_mistakes.py
        return False
    if predicted is None or predicted is CONFIRMED:
        return predicted is CONFIRMED
    predicted = _numbers_as(case.expected, predicted)
    if not case.is_right and agree(predicted, case.expected, tolerance):
        return False  # the mistake's answer is right on these inputs: it explains nothing
    return agree(case.got, predicted, tolerance)


def _numbers_as(expected: Any, predicted: Any) -> Any:
    """`predicted` with a number wherever a number is expected: a wrong implementation may leave it a tensor."""
    if isinstance(expected, dict) and isinstance(predicted, dict):
        return {key: _numbers_as(expected.get(key), value) for key, value in predicted.items()}
    if isinstance(expected, list | tuple) and isinstance(predicted, list | tuple) and len(expected) == len(predicted):
        return [_numbers_as(one, other) for one, other in zip(expected, predicted, strict=True)]
    if isinstance(expected, int | float) and isinstance(predicted, torch.Tensor) and predicted.numel() == 1:
        return predicted.item()
    return predicted
