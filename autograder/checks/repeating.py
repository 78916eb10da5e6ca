"""What the same question gives when it is put again, and answers that were given before, to another question."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from autograder.checks.answer import Answer
from autograder.checks.task import Case
from autograder.comparison import agree
from autograder.diagnosis.explaining import Judged
from autograder.diagnosis.hypothesis import memoised
from autograder.diagnosis.structures import numbers_of, without_nan
from autograder.probes.generators import DRAWN

CLOSE = 1e-4
"""Relative: nothing that runs in parallel adds up in a fixed order."""
FEWEST = 3
"""Numbers of an earlier answer that differ in size, or answers of fewer numbers; less comes again by chance."""
KEPT = (
    "Your wrong numbers are the right ones to earlier questions. What does your function keep between calls? "
    "A default argument such as `memo={}` is made once, for all calls. "
)


class Repeats(NamedTuple):
    """What is known of a repetition of a question.

    Attributes:
        differs: whether the second call or run gave another answer than the first.
        draws: whether the call drew random numbers, which the reference does not do here.
    """

    differs: bool
    draws: bool


def repeats(
    case: Case,
    got: Any,
    seen: dict[str, Any],
    answer: Answer,
    by_reference: Callable[..., list[dict[str, Any]]],
) -> Repeats:
    """Return what is known of the repetition of a question.

    Args:
        case: the question.
        got: its answer.
        seen: all that the probe observed.
        answer: as it came, with what the calls changed.
        by_reference: from the question's inputs to what the reference changes.
    """
    again = seen.get("again", got)
    differs = got is seen.get("result") and not _same_numbers(again, got)
    draws = _draws(answer.changes) and not _draws(memoised(by_reference, case.inputs))
    return Repeats(differs, draws)


def _same_numbers(one: Any, other: Any) -> bool:
    first, second = numbers_of(without_nan(one)), numbers_of(without_nan(other))
    close = functools.partial(math.isclose, rel_tol=CLOSE, abs_tol=CLOSE * max(map(abs, first), default=0.0))
    return len(first) == len(second) and all(map(close, first, second))


def _draws(changes: list[dict[str, Any]]) -> bool:
    return any(one["what"] == DRAWN for one in changes)


def told(asked: list[tuple[bool, Repeats]]) -> str:
    """Return a sentence, followed by a space, that is true of the wrong answers; "" if there is none.

    Args:
        asked: of each question, whether it is answered correctly, and what is known of its repetition.
    """
    wrong = [one for is_right, one in asked if not is_right]
    if any(one.differs for one in wrong):
        return "Your second call with the same arguments gave another result. What did the first one leave behind? "
    drawn = sum(one.draws for is_right, one in asked if is_right)
    if all(one.draws for one in wrong) and drawn < len(wrong):  # where most are right, drawing does no harm
        return "Your function draws random numbers, so the same arguments can give other results. "
    return ""


def earlier_answers(judged: list[Judged], others: Callable[[], list[Judged]]) -> str:
    """Return a sentence, followed by a space, if all wrong numbers are the right ones to earlier questions.

    Args:
        judged: the questions of a check, in the order in which they were asked.
        others: returns those of the task's other checks.
    """
    wrong = [place for place, one in enumerate(judged) if not one.is_right and not one.raised]
    places = [place for place in wrong if numbers_of(judged[place].got)]  # a None is another mistake
    sizes = [{*map(abs, numbers_of(judged[place].got))} for place in places]
    if places and all(len(one) >= FEWEST for one in sizes):
        known = [one for one in judged + others() if one.is_right]
        before = [known] * len(places)
    elif sum(bool(one - {0.0, 1.0}) for one in sizes) >= FEWEST:
        before = [judged[:place] for place in places]
    else:
        return ""
    asked = zip(places, before, strict=True)
    return KEPT if all(any(_is_answer_to(other, judged[place]) for other in known) for place, known in asked) else ""


def _is_answer_to(other: Judged, one: Judged) -> bool:
    return agree(one.got, other.expected) and not agree(other.expected, one.expected)
