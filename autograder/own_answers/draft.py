"""Drafts of questions: what is asked about a program, before it has a place among others."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable

from autograder.choices import Code, MultipleChoice
from autograder.own_answers.calls import Call
from autograder.own_answers.source import OwnSource
from autograder.own_answers.tracing import OWN, Visit
from autograder.own_answers.values import Fact

MOST_CHOICES, FEWEST_CHOICES = 4, 3
LATEST = 4
"""The last run of a line that is asked about: nobody follows a loop for longer in their head."""


@dataclasses.dataclass(frozen=True)
class Draft:
    """A question about a student's program.

    Attributes:
        form: its kind, as the record keeps it: "value", "cut", "result", "node", "next" or "count".
        about: what it is about; no two questions that are asked together have one subject.
        codes, prompt, choices, right, because: as of a `MultipleChoice`.
        call: the call that it is about; None if the choices are calls.
    """

    form: str
    about: tuple[str, int]
    codes: tuple[Code, ...]
    prompt: str
    choices: tuple[str, ...]
    right: int
    because: str
    call: Call | None = None

    def differs_from(self, other: Draft) -> bool:
        """Return whether two questions are about different calls or lines, or of different forms."""
        return self.form != other.form or (self.about, self.call) != (other.about, other.call)

    def titled(self, title: str) -> MultipleChoice:
        """Return the question under a title."""
        return MultipleChoice(title, self.codes, self.prompt, self.choices, self.right, self.because)


def shuffled(right: str, wrong: Iterable[str], source: random.Random) -> tuple[tuple[str, ...], int]:
    """Return the choices in an order that a seed decides, and the place of the right one."""
    choices = [right, *wrong]
    source.shuffle(choices)
    return tuple(choices), choices.index(right)


def clear(right: Fact, others: Iterable[Fact], most: int = MOST_CHOICES - 1) -> list[str]:
    """Return the texts of the first facts that nobody can take for the right one or for each other."""
    taken = [right]
    for other in others:
        if len(taken) <= most and all(other.is_clear_beside(one) for one in taken):
            taken.append(other)
    return [one.text for one in taken[1:]]


def codes_at(source: OwnSource, call: Call, where: str, line: int) -> tuple[Code, ...]:
    """Return the student's program and the call, with an arrow at a line of one of them."""
    if where == OWN:
        return Code("your program", source.shown(line)), Code("the call", call.text)
    rows = call.text.splitlines()
    marked = (f"{'-->' if k == line + call.offset else '   '} {row}" for k, row in enumerate(rows, 1))
    first = source.functions[0].__code__.co_firstlineno
    return Code("the call", "\n".join(marked)), Code("your program", source.shown(first, arrow=""))


def time_of(visit: Visit, visits: list[Visit]) -> str:
    """Say which run of its line a visit is; nothing if there is only one."""
    same = [one for one in visits if (one.where, one.line) == (visit.where, visit.line)]
    if len(same) == 1:
        return ""
    place = place_of(visit, visits)
    return f" for the {ordinal(place)} time (of {len(same)})"


def place_of(visit: Visit, visits: list[Visit]) -> int:
    """Return which run of its line a visit is, counted from 1."""
    same = (one for one in visits if (one.where, one.line) == (visit.where, visit.line))
    return next(place for place, one in enumerate(same, 1) if one is visit)


def ordinal(count: int) -> str:
    """Write 1 as 1st."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th") if count % 100 not in (11, 12, 13) else "th"
    return f"{count}{ending}"
