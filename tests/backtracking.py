r"""The two shapes of a pattern that a text can make backtrack for long.

An unbounded repeat inside another, `(\d+,?)+`, is tried in exponentially many ways where the text almost fits; two
unbounded repeats that may take the same characters and stand beside each other, `\s*#?\s*x`, in as many ways as the
square of the text's length. A possessive repeat, `\s*+`, gives nothing back and is tried in one way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as codes
from typing import Any

GREEDY = (codes.MAX_REPEAT, codes.MIN_REPEAT)
CHARACTERS = [chr(code) for code in range(128)] + list("é²\u2003\ufeff\u0661")
CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def nested(parsed: Any, inside: bool = False) -> Iterator[bool]:
    """For each unbounded repeat that gives characters back, whether it stands inside another."""
    for operation, argument in parsed:
        if operation in (*GREEDY, codes.POSSESSIVE_REPEAT):
            unbounded, possessive = argument[1] > 100, operation is codes.POSSESSIVE_REPEAT
            if unbounded and not possessive:
                yield inside
            yield from nested(argument[2], not possessive and (inside or unbounded))
        else:
            for inner in _inner(operation, argument):
                yield from nested(inner, inside and operation is not codes.ATOMIC_GROUP)


def beside(parsed: Any) -> Iterator[str]:
    """For each two unbounded repeats beside each other, a character that both may take."""
    items = list(parsed)
    for at, (operation, argument) in enumerate(items):
        for inner in [argument[2]] if operation in (*GREEDY, codes.POSSESSIVE_REPEAT) else _inner(operation, argument):
            yield from beside(inner)
        if (first := _taken(operation, argument)) is None:
            continue
        for after, what in items[at + 1 :]:
            if (second := _taken(after, what)) is not None and first & second:
                yield min(first & second)
            if not _may_be_empty(after, what):
                break


def _inner(operation: Any, argument: Any) -> list[Any]:
    if operation is codes.SUBPATTERN:
        return [argument[-1]]
    if operation is codes.BRANCH:
        return list(argument[1])
    if operation in (codes.ASSERT, codes.ASSERT_NOT):
        return [argument[1]]
    return [argument] if operation is codes.ATOMIC_GROUP else []


def _taken(operation: Any, argument: Any) -> set[str] | None:
    """The characters that an unbounded repeat of one character, or a group of nothing else, may take and give back."""
    if operation is codes.SUBPATTERN and len(argument[-1]) == 1:
        return _taken(*argument[-1][0])
    if operation not in GREEDY or argument[1] <= 100 or len(argument[2]) != 1:
        return None
    what, of = argument[2][0]
    if what is codes.ANY:
        return {*CHARACTERS} - {"\n"}
    if what is codes.LITERAL:
        return {chr(of)}
    if what is codes.NOT_LITERAL:
        return {*CHARACTERS} - {chr(of)}
    return {one for one in CHARACTERS if _holds(of, one)} if what is codes.IN else None


def _holds(items: Any, one: str) -> bool:
    holds, negated = False, False
    for what, of in items:
        negated = negated or what is codes.NEGATE
        holds = holds or (what is codes.LITERAL and ord(one) == of)
        holds = holds or (what is codes.RANGE and of[0] <= ord(one) <= of[1])
        holds = holds or (what is codes.CATEGORY and re.fullmatch(CATEGORIES[of], one) is not None)
    return holds is not negated


def _may_be_empty(operation: Any, argument: Any) -> bool:
    if operation in (*GREEDY, codes.POSSESSIVE_REPEAT):
        return argument[0] == 0
    if operation is codes.SUBPATTERN:
        return all(_may_be_empty(*item) for item in argument[-1])
    return operation in (codes.AT, codes.ASSERT, codes.ASSERT_NOT)
