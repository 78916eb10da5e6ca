"""The findings of one task's checks, told as one where one mistake explains them all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from autograder.diagnosis.hypothesis import Finding
from autograder.diagnosis.two_mistakes import Either

CONDITION = re.compile(
    r" Of the \d+ questions of this (?:check|task), exactly those where (.+?) are answered wrongly\."
)
"""The sentence of `Contrasts.separated`."""


def told_as_one(findings: Iterable[Finding | None]) -> None:
    """Give the findings of a task the same mistake, if they have several and one of these fits every check.

    One that fits all of them is likelier than several that each fit one. It must be a way to solve the task wrongly:
    that all numbers are 0, or in each other's places, says less than what it would stand for.
    """
    found = [one for one in findings if one is not None]
    _without_contradictions(found)
    _decide(found)
    mistakes = {one.mistake.name: one.mistake for one in found if one.mistake is not None}
    if len(mistakes) < 2 or any(one.fits is None for one in found):
        return
    for mistake in mistakes.values():
        is_way = getattr(mistake, "answer", None) is not None
        if is_way and all(one.fits is not None and one.fits(mistake) for one in found):
            for one in found:
                one.mistake = mistake
            return


def _without_contradictions(found: list[Finding]) -> None:
    """Say no condition of wrong answers where two checks of one task show two: one of them at least is chance."""
    if len({condition for one in found for condition in CONDITION.findall(one.seen)}) > 1:
        for one in found:
            one.seen = CONDITION.sub("", one.seen)


def _decide(found: list[Finding]) -> None:
    """Where one of two mistakes gives the answers of a check, and another check shows one of the two, say that one."""
    named = {one.mistake.name for one in found if one.mistake is not None and not isinstance(one.mistake, Either)}
    for one in found:
        if isinstance(one.mistake, Either):
            shown = [other for other in (one.mistake.first, one.mistake.second) if other.name in named]
            one.mistake = shown[0] if len(shown) == 1 else one.mistake
