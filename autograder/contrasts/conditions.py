"""The condition that separates the questions that are answered wrongly from the others, found by search.

A condition is a few words that are true or false of each question: "`steps` is above 1". One is returned only if it is
true of the questions that are answered wrongly and of no other, and only if so few were tried before it that this is no
chance.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from autograder.contrasts.words import plainest

CHANCE = 0.05
"""The most that the chance may be that one of the conditions tried so far fits."""
FEWEST = 2
"""Of the questions that are answered wrongly, and of the others."""
MANY = 8
"""Questions of which one alone may be answered correctly, if the condition is of the plainest kind."""
OF_LIMITS = 0.1
"""Of the chance, for limits that were drawn at random."""
Condition = tuple[str, tuple[bool, ...]]
"""The words, and of which questions they are true."""
Conditions = Mapping[str, bool | float]
"""What is true of a question, by the words for it: of a number, which may lie beyond a limit, its value."""


def separating(questions: Sequence[Conditions], wrong: Sequence[bool], are_plain: bool = False) -> str:
    """Return the words of the first condition that is true of all wrong questions and of no other; "" if none is.

    Args:
        questions: what is true of each; the likeliest conditions come first.
        wrong: which of them are answered wrongly.
        are_plain: whether all conditions are of the plainest kind.
    """
    count, others = sum(wrong), len(wrong) - sum(wrong)
    alone = are_plain and others == 1 and len(wrong) >= MANY
    if count < FEWEST or (others < FEWEST and not alone):
        return ""
    most = 1 if alone else CHANCE * math.comb(len(wrong), count)
    tried: set[tuple[bool, ...]] = set()
    for conditions, share in ((_plain_conditions, 1.0), (_limits, OF_LIMITS)):
        for words, holds in conditions(questions):
            if sum(holds) != count or holds in tried:
                continue  # another number of questions could not be hit by chance either
            tried.add(holds)
            if len(tried) > most * share:
                return ""
            if holds == tuple(wrong):
                return words
    return ""


def _known(questions: Sequence[Conditions]) -> Iterator[tuple[str, list[bool | float]]]:
    for words in dict.fromkeys(words for one in questions for words in one):
        yield words, [one.get(words, False) for one in questions]  # what nothing is said of is not so


def _plain_conditions(questions: Sequence[Conditions]) -> Iterator[Condition]:
    for words, values in _known(questions):
        if all(isinstance(value, bool) for value in values):
            yield words, tuple(map(bool, values))


def _limits(questions: Sequence[Conditions]) -> Iterator[Condition]:
    """Yield limits between two numbers that are known of every question."""
    for words, values in _known(questions):
        if not any(isinstance(value, bool) for value in values):
            for low, high in itertools.pairwise(sorted({*values})):
                limit = plainest(low, high)
                yield f"{words} is above {limit}", tuple(value > low for value in values)
                yield f"{words} is {limit} or less", tuple(value <= low for value in values)
