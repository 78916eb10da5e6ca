"""One factor between all wrong numbers of a check and the right ones, whatever it is: located, if not explained."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

from autograder.comparison import agree
from autograder.diagnosis.general import GeneralMistake
from autograder.diagnosis.structures import each_number, numbers_of

LEAST = 3
"""Of numbers that differ in size: fewer have one factor by chance."""
EXPLAINED = 0.01
"""What a factor may leave of an error, as a fraction of it."""
QUESTIONS = 2
"""Of questions: the numbers of one alone may have a factor that belongs to its inputs."""


Numbers = list[tuple[float, float]]
"""Of one question: right numbers that are not 0, each with the student's."""


def one_factor(wrong: list[Numbers], of: str = "the right one, whatever the inputs") -> Iterator[GeneralMistake]:
    """Yield the mistake of having multiplied everything by one number; none if there is no such number.

    Args:
        wrong: the `wrong_numbers` of each question that was answered wrongly.
        of: what the right numbers are, for the sentence.
    """
    if sizes(wrong) < LEAST or sum(map(bool, wrong)) < QUESTIONS:
        return
    known = list(itertools.chain(*wrong))
    right, seen = max(known, key=lambda pair: abs(pair[0]))
    factor = seen / right
    # A factor near 1 fits all that is nearly right, so it must explain the error itself.
    near = min(1e-4, EXPLAINED * abs(factor - 1))
    if factor not in (0.0, 1.0) and all(math.isclose(got, factor * of, rel_tol=near) for of, got in known):
        yield GeneralMistake(
            "one factor everywhere",
            f"Every wrong number is {factor:.6g} times {of}. Which factor or division is missing, or one too many?",
            lambda expected, got: each_number(expected, lambda value: factor * value),
        )


def wrong_numbers(expected: Any, got: Any) -> Numbers:
    """List the right numbers of one question that are not 0, each with the student's, as far as both are finite."""
    pairs = _wrong_numbers(expected, got)
    return [(right, seen) for right, seen in pairs if right and math.isfinite(right) and math.isfinite(seen)]


def sizes(wrong: list[Numbers]) -> int:
    """Count the right numbers that differ in size."""
    return len({abs(right) for right, _ in itertools.chain(*wrong)})


def _wrong_numbers(expected: Any, got: Any) -> Iterator[tuple[float, float]]:
    if isinstance(expected, dict) and isinstance(got, dict):
        for key, value in expected.items():
            if not agree(got.get(key), value):
                yield from _wrong_numbers(value, got.get(key))
        return
    right, seen = numbers_of(expected), numbers_of(got)
    if len(right) == len(seen):
        yield from zip(right, seen, strict=True)
