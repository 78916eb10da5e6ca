"""The order in which a verdict is told: the sentence that explains, what was seen, then what hangs on it.

The card and the plain text both follow it, so that they say the same.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from autograder.wire.outcome import NOT_ASKED, Outcome

if TYPE_CHECKING:
    from autograder.verdicts.verdict import Result, Verdict

_BETWEEN_SENTENCES = re.compile(r"(?<=[.?])\s+(?=[A-Z`“(])")
THE_SAME = "The same as above."
OF_SOMETHING_ELSE = {"None returned", "None instead of a gradient"}
"""Names of mistakes that may follow from another one, whose explanation leads if there is one."""


@dataclasses.dataclass(frozen=True)
class Seen:
    """What was seen in one check.

    Attributes:
        title: the check's.
        said: what was seen, in a sentence; empty if it is the explanation itself.
        example: the program that shows it; empty if it stands above already.
        place: the check's index, by which a picture belongs to it.
    """

    title: str
    said: str
    example: str
    place: int


@dataclasses.dataclass(frozen=True)
class Fold:
    """What can wait: its line is always read, the rest when somebody unfolds it.

    Attributes:
        said: a sentence that stands before the line; empty without one.
        line: the title of the fold.
        parts: what it holds.
    """

    said: str
    line: str
    parts: tuple[Seen, ...]


@dataclasses.dataclass(frozen=True)
class Telling:
    """A verdict in the order in which it is told.

    Attributes:
        lead: the one sentence that explains, or the first that says what was seen.
        more: the sentences after it.
        first: what was seen in the first check that the lead explains; None if no check could judge.
        folds: what hangs on it, and what else is missing.
        passed: titles of the checks that passed.
    """

    lead: str
    more: str
    first: Seen | None
    folds: tuple[Fold, ...]
    passed: tuple[str, ...]

    @staticmethod
    def of(verdict: Verdict) -> Telling:
        """Choose what leads: the first missed check with an explanation that cannot follow from another, if any."""
        results = verdict.results
        passed = tuple(one.title for one in results if one.kind == Outcome.PASSED)
        missed = [(place, one) for place, one in enumerate(results) if one.kind != Outcome.PASSED]
        if not missed:
            return Telling("", "", None, (), passed)
        if (reason := common_reason(verdict)) is not None:
            return Telling(*_first_sentence(reason), None, (), passed)
        place, leading = min(missed, key=_rank)
        explained = bool(leading.advice) and not leading.fact_first
        lead, more = _first_sentence(leading.advice if explained else f"{leading.seen} {leading.advice}")
        told = _Told()
        first = told.seen(place, leading, is_lead=not explained)
        rest = [one for one in missed if one[0] != place]
        hanging = [one for one in rest if _hangs_on(one[1], leading)]
        asked = [one for one in hanging if not one[1].seen.startswith(NOT_ASKED)]
        unasked = [one for one in hanging if one[1].seen.startswith(NOT_ASKED)]
        folds = [_hanging(asked, told)] if asked else []
        folds += [_unasked(unasked, told)] if unasked else []
        folds += [_also(place, one, told) for place, one in rest if not _hangs_on(one, leading)]
        return Telling(lead, more, first, tuple(folds), passed)


def _rank(missed: tuple[int, Result]) -> tuple[bool, bool, bool]:
    """What is explained leads, before what may follow from it, and what can be run before what cannot."""
    _, one = missed
    return not one.advice, one.mistake in OF_SOMETHING_ELSE, not one.example


class _Told:
    """Keeps what was told, so that nothing is told twice."""

    def __init__(self) -> None:
        self.all: set[str] = set()

    def seen(self, place: int, result: Result, is_lead: bool = False) -> Seen:
        said, example = result.seen, result.example.strip()
        if said in self.all:
            said, example = THE_SAME, ""
        elif example in self.all:
            said, example = said.replace("the program below", "the same program", 1), ""
        self.all |= {result.seen, result.example.strip()} - {""}
        return Seen(result.title, "" if is_lead else said, example, place)


def common_reason(verdict: Verdict) -> str | None:
    """Return the reason to show once for all checks, if none could judge: no attempt, a missing name, a broken file."""
    kinds = {result.kind for result in verdict.results}
    first = verdict.results[0]
    if len(kinds) == 1 and first.kind in (Outcome.NOT_ATTEMPTED, Outcome.MISSING, Outcome.UNREADABLE):
        return f"{first.seen} {first.advice}".rstrip()
    return None


def number(points: float) -> str:
    """Write points with at most two decimals, as '2', '0.5' or '1.33'."""
    return f"{round(points, 2):g}"


def points(earned: float) -> str:
    """Write points with their unit, as '1 point', '2 points' or '0.5 points'."""
    return f"{number(earned)} point{'' if earned == 1 else 's'}"


def _first_sentence(text: str) -> tuple[str, str]:
    first, *others = _BETWEEN_SENTENCES.split(text.strip(), maxsplit=1)
    return first, " ".join(others)


def _hangs_on(one: Result, leading: Result) -> bool:
    return one.seen == leading.seen or bool(one.mistake and one.mistake == leading.mistake)


def _hanging(results: list[tuple[int, Result]], told: _Told) -> Fold:
    worth = sum(one.maximum for _, one in results)
    titles = "; ".join(one.title for _, one in results)
    more = f"The same shows in checks worth {points(worth).replace(' ', ' more ', 1)}" if worth else "The same shows in"
    return Fold("", f"{more}: {titles}", tuple(told.seen(*one) for one in results))


def _unasked(results: list[tuple[int, Result]], told: _Told) -> Fold:
    titles = "; ".join(one.title for _, one in results)
    return Fold("", f"Not asked because of it: {titles}", tuple(told.seen(*one) for one in results))


def _also(place: int, result: Result, told: _Told) -> Fold:
    said = "" if result.advice in told.all else result.advice
    told.all.add(result.advice)
    is_fact = bool(said) and result.fact_first
    said = f"{result.seen} {said}" if is_fact else said
    return Fold(said, f"Also missed: {result.title}", (told.seen(place, result, is_lead=is_fact),))
