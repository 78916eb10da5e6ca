"""What a student has predicted, from the record: how often right, how sure, and when a missed prediction comes back."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta
from typing import Any

from autograder import record

KIND = "prediction"
GAPS = (2, 7, 21)
"""Days from a miss to the first review, from there to the second and to the third; then it is learnt."""


@dataclasses.dataclass(frozen=True)
class Answered:
    """An answer to a prediction.

    Attributes:
        which: the prediction's name.
        answer: what was answered: a choice's text, or a number.
        right: whether that is right.
        sure: 1 guessing, 2 fairly sure, 3 certain; None if that was left open.
        before: whether it was given before the cell below ran.
        review: whether it was asked again, after a miss.
        day: the day in this computer's time zone.
    """

    which: str
    answer: str | float
    right: bool
    sure: int | None
    before: bool
    review: bool
    day: date


@dataclasses.dataclass(frozen=True)
class Tally:
    """How many answers there are, and how many of them are right."""

    made: int = 0
    right: int = 0

    @staticmethod
    def of(answers: Iterable[Answered]) -> Tally:
        """Count answers."""
        rights = [one.right for one in answers]
        return Tally(len(rights), sum(rights))


def answered() -> list[Answered]:
    """Read all answers from the record, oldest first; an event that was damaged is passed over."""
    return [one for event in record.events(KIND) if (one := _answered(event)) is not None]


def _answered(event: dict[str, Any]) -> Answered | None:
    kinds = {"which": str, "answer": str | float, "right": bool, "sure": int | None, "before": bool, "review": bool}
    if not all(isinstance(event.get(key), kind) for key, kind in kinds.items()):
        return None
    day = datetime.fromisoformat(event["at"]).astimezone().date()
    return Answered(**{key: event[key] for key in kinds}, day=day)


def first_answers(answers: Iterable[Answered]) -> dict[str, Answered]:
    """Return the first answer to each prediction; what was said later, or in a review, is left out."""
    found: dict[str, Answered] = {}
    for one in answers:
        if not one.review:
            found.setdefault(one.which, one)
    return found


def counted(answers: Iterable[Answered], among: Collection[str]) -> list[Answered]:
    """Return the answers that figures are made of: the first to each prediction, if given before its cell ran.

    Args:
        answers: all that there are.
        among: names of the predictions in question.
    """
    return [one for name, one in first_answers(answers).items() if name in among and one.before]


def comes_back(answers: Iterable[Answered]) -> dict[str, date]:
    """Return the day on which each missed prediction comes back; those that are learnt are left out.

    A right answer in a review moves a prediction on by one gap, a wrong one starts it anew.
    """
    steps: dict[str, int] = {}
    days: dict[str, date] = {}
    begun = set()
    for one in answers:
        if one.which not in begun and not one.review:
            begun.add(one.which)
            if one.right:
                continue
            steps[one.which] = 0
        elif one.review and one.which in steps:
            steps[one.which] = steps[one.which] + 1 if one.right else 0
        else:
            continue
        if steps[one.which] < len(GAPS):
            days[one.which] = one.day + timedelta(days=GAPS[steps[one.which]])
        else:
            del steps[one.which], days[one.which]
    return days


def due(answers: Iterable[Answered], among: Collection[str], today: date) -> list[str]:
    """Return the names of the missed predictions that come back by a day, the longest due first.

    Args:
        answers: all that there are.
        among: names of the predictions that the course still has.
        today: that day.
    """
    days = {name: day for name, day in comes_back(answers).items() if name in among and day <= today}
    return sorted(days, key=lambda name: days[name])
