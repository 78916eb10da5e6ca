"""Choose the hypothesis that fits everything that was seen of a check: every wrong answer and every right one."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from autograder.comparison import CONTRACT, Tolerance, agree
from autograder.diagnosis.general import GeneralMistake
from autograder.diagnosis.hypothesis import CONFIRMED, EVERYWHERE, POSSIBLE, Hypothesis, Mistake
from autograder.diagnosis.one_factor import one_factor, wrong_numbers
from autograder.diagnosis.structures import numbers_of, without_nan
from autograder.diagnosis.two_mistakes import CHANGES, Either, Two, Upon

FAILED = object()
"""The prediction of a mistake whose wrong way raises for this case."""


TRUE_ANYWAY = {"another shape", "another dtype", "transposed", "left in a tuple"}
"""General mistakes that say what an answer looks like, which holds whatever the cause."""
MANY = 2
"""Of numbers that differ in size: more of them do not agree by chance."""


@dataclasses.dataclass(frozen=True)
class Judged:
    """One question with the right answer and the student's; `raised` is the exception that came in its place."""

    inputs: tuple[Any, ...]
    expected: Any
    got: Any
    is_right: bool
    raised: str = ""


def explain(
    cases: list[Judged],
    hypotheses: Iterable[Hypothesis],
    tolerance: Tolerance = CONTRACT,
    others: Callable[[], list[Judged]] = list,
) -> Hypothesis | None:
    """Return the first hypothesis that fits everything that was seen: every wrong answer and every right one.

    Args:
        cases: all cases of a check, at least one of them wrong.
        hypotheses: the likeliest first.
        tolerance: the one of the comparison that found the cases wrong.
        others: returns the answered questions of the task's other checks, where a wrong way to solve the task would
            have been wrong too.

    Returns:
        None if no hypothesis does: one that explains a part of the answers is as likely to mislead as to help.
    """
    tried = list(hypotheses)
    right = [at for at, case in enumerate(cases) if case.is_right]
    wrong = [at for at, case in enumerate(cases) if not case.is_right]

    @functools.cache
    def says(one: int, at: int) -> bool | None:
        return _says(tried[one], cases[at], tolerance)

    def refuted_elsewhere(one: int) -> bool:
        return _predicts(tried[one]) and any(_is_wrong_by(tried[one], case, tolerance) for case in others())

    fitting = (  # the wrong answers first: they refute sooner
        one
        for one in range(len(tried))
        if all(says(one, at) is not False for at in (*wrong, *right)) and any(says(one, at) for at in wrong)
    )
    first = next(fitting, None)
    if first is not None and _tells_apart([cases[at] for at in wrong]) and refuted_elsewhere(first):
        # Without a better one it is kept: its name may be made in a way that nobody wrote down.
        better = (one for one in fitting if _predicts(tried[one]) or tried[one].name in TRUE_ANYWAY)
        first = next((one for one in better if not refuted_elsewhere(one)), first)
    if first is not None:
        same = (
            other
            for other in range(first + 1, len(tried))
            if _predicts(tried[first]) and _predicts(tried[other]) and tried[other].name != tried[first].name
            if _is_general(tried[first]) == _is_general(tried[other])  # what the task declares says more
            if all(says(other, at) for at in wrong) and all(says(other, at) is not False for at in right)
        )
        other = next(same, None)
        return tried[first] if other is None else Either(tried[first], tried[other])
    if any(case.raised for case in cases):
        return None  # by its type alone, an exception would fit too many pairs
    allowed = [one for one in range(len(tried)) if all(says(one, at) is not False for at in right)]
    shown = [(tried[one], frozenset(at for at in wrong if says(one, at))) for one in allowed]
    two = _two_at_once([(one, by) for one, by in shown if _is_evidence([cases[at] for at in by])], len(wrong))
    return two or _one_upon_another(tried, [cases[at] for at in (*wrong, *right)], tolerance)


def _predicts(hypothesis: Hypothesis) -> bool:
    """Whether it is a mistake that the task declares, with a wrong way that was written down."""
    return isinstance(hypothesis, Mistake) and hypothesis.answer is not None and bool(hypothesis.where)


def _is_general(hypothesis: Hypothesis) -> bool:
    return getattr(hypothesis, "where", "") == EVERYWHERE


def _is_wrong_by(hypothesis: Hypothesis, case: Judged, tolerance: Tolerance) -> bool:
    """Return whether a right answer is not what a mistake gives here."""
    predicted = _predicted(hypothesis, case) if case.is_right else None
    if any(predicted is one for one in (None, CONFIRMED, POSSIBLE, FAILED)):
        return False
    return not _agrees(predicted, case, tolerance)


def _is_evidence(cases: list[Judged]) -> bool:
    """Whether these answers are enough to speak of a second mistake: two, or one with several different numbers.

    Signs and truth values fit much by chance.
    """
    return len(cases) > 1 or _tells_apart(cases)


def _tells_apart(cases: list[Judged]) -> bool:
    """Whether one of these answers has so many different numbers that a wrong explanation would hardly fit it."""
    return any(len({*map(abs, numbers_of(case.expected))}) > MANY for case in cases)


def _two_at_once(shown: list[tuple[Hypothesis, frozenset[int]]], wrong: int) -> Two | None:
    """Return two mistakes of which each wrong answer shows exactly one.

    Args:
        shown: mistakes that no right answer speaks against, each with the wrong answers that show it, enough of them.
        wrong: the number of wrong answers.
    """
    for (one, by), (other, others) in itertools.combinations(shown, 2):
        if one.name != other.name and len(by) + len(others) == wrong and not by & others:
            return Two(one, other)
    return None


def _one_upon_another(tried: list[Hypothesis], cases: list[Judged], tolerance: Tolerance) -> Upon | None:
    """Return a mistake that the task declares and a change of all numbers after it, if the two fit everything."""
    sizes = {abs(number) for case in cases if not case.is_right for number in numbers_of(case.expected)}
    if len(sizes) <= MANY:
        return None
    changes = [one for one in tried if isinstance(one, GeneralMistake) and one.name in CHANGES]
    pairs = itertools.product(filter(_predicts, tried), changes)
    both = (Upon(one, change) for one, change in pairs if one.name != change.name)
    times = (Upon(one, factor) for one in filter(_predicts, tried) for factor in _factors(one, cases))
    return next((one for one in itertools.chain(both, times) if fits(one, cases, tolerance)), None)


def _factors(hypothesis: Hypothesis, cases: list[Judged]) -> Iterator[GeneralMistake]:
    """Yield the one factor between the wrong answers and what a mistake predicts for them, if there is one."""
    found = []
    for case in cases:
        if not case.is_right:
            predicted = _predicted(hypothesis, case)
            if predicted is None or predicted is FAILED:
                return
            found.append(wrong_numbers(predicted, case.got))
    yield from one_factor(found, "what that gives")


def _says(hypothesis: Hypothesis, case: Judged, tolerance: Tolerance) -> bool | None:
    """Return whether an answer speaks for a hypothesis, True, or against it, False; None if it does neither."""
    if case.raised:
        return _raises(hypothesis, case)
    predicted = _predicted(hypothesis, case)
    if predicted is POSSIBLE or (predicted is None and case.is_right):
        return None
    return _agrees(predicted, case, tolerance)


def _raises(hypothesis: Hypothesis, case: Judged) -> bool:
    """Return whether a wrong way to solve the task ends in the exception that was seen."""
    answer = getattr(hypothesis, "answer", None)
    if answer is None:
        return False
    try:
        answer(*case.inputs)
    except Exception as error:
        return type(error).__name__ == case.raised
    return False


def fits(hypothesis: Hypothesis, cases: list[Judged], tolerance: Tolerance = CONTRACT) -> bool:
    """Return whether a hypothesis fits everything that was seen of a check, at least one of whose answers is wrong."""
    shown = False
    for case in cases:
        said = _says(hypothesis, case, tolerance)
        if said is False:
            return False
        shown = shown or (bool(said) and not case.is_right)
    return shown


def refuted(hypothesis: Hypothesis, cases: list[Judged], tolerance: Tolerance = CONTRACT) -> bool:
    """Return whether some right answer speaks against a hypothesis."""
    return any(case.is_right and _says(hypothesis, case, tolerance) is False for case in cases)


def reproduces(hypothesis: Hypothesis, case: Judged, tolerance: Tolerance) -> bool:
    """Return whether the hypothesis predicts the student's answer to this case, or the answer itself confirms it."""
    return _raises(hypothesis, case) if case.raised else _agrees(_predicted(hypothesis, case), case, tolerance)


def _predicted(hypothesis: Hypothesis, case: Judged) -> Any:
    """Return the prediction; FAILED where the wrong way raises, as at a logarithm of a negative number."""
    try:
        return hypothesis.predict(case.inputs, case.expected, case.got)
    except Exception:  # tests/tasks watch which ones do
        return FAILED


def _agrees(predicted: Any, case: Judged, tolerance: Tolerance) -> bool:
    if any(predicted is one for one in (None, CONFIRMED, POSSIBLE, FAILED)):
        return predicted is CONFIRMED
    predicted = _numbers_as(case.expected, predicted)
    if not _lacks_alike(case.got, predicted, case.expected):
        return False
    if not case.is_right and agree(predicted, case.expected, tolerance):
        return False  # on these inputs the mistake gives the right answer, so it explains nothing
    if any(map(math.isnan, numbers_of(predicted))):  # nan equals nothing, so it is compared by where it stands
        return agree(without_nan(case.got), without_nan(predicted), tolerance)
    return agree(case.got, predicted, tolerance)


def _lacks_alike(got: Any, predicted: Any, expected: Any) -> bool:
    """Return whether an answer lacks each key that a prediction lacks; further keys, which no check reads, may differ.

    Without this a mistake that leaves a key out would fit every answer that has something wrong there.
    """
    if not all(isinstance(one, dict) for one in (got, predicted, expected)):
        return True
    return all(
        _lacks_alike(got.get(key), predicted[key], value) if key in predicted else key not in got
        for key, value in expected.items()
    )


def _numbers_as(expected: Any, predicted: Any) -> Any:
    """Turn one-element tensors of a prediction into numbers where numbers are expected."""
    if isinstance(expected, dict) and isinstance(predicted, dict):
        return {key: _numbers_as(expected.get(key), value) for key, value in predicted.items()}
    if isinstance(expected, list | tuple) and isinstance(predicted, list | tuple) and len(expected) == len(predicted):
        return [_numbers_as(one, other) for one, other in zip(expected, predicted, strict=True)]
    if isinstance(expected, int | float) and isinstance(predicted, torch.Tensor) and predicted.numel() == 1:
        return predicted.item()
    return predicted
