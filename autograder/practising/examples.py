"""A call with numbers of its own, and what each of two programs gives for it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from autograder.checks.catalogue import cells_before
from autograder.checks.task import Case, Task
from autograder.own_answers.calls import Call, NotRunError, Outcome, call_of, fits
from autograder.own_answers.comparing import compared
from autograder.own_answers.values import Fact, fact
from autograder.practising.plain_programs import Lines

LONGEST = 14
"""Lines of a call; a longer one is no help."""


def example_of(task: Task, wrong: Lines, right: Lines, source: random.Random) -> tuple[Call, str] | None:
    """Return a call on which two programs differ, and a sentence about what they give; None if there is none to show.

    Args:
        task: the task.
        wrong, right: the programs.
        source: draws the numbers.
    """
    names = [_namespace(task, lines) for lines in (wrong, right)]
    for call in _calls(task, source):
        try:
            first, second = (call.run(one) for one in names)
        except NotRunError:
            continue
        if not second.raised and (first.raised or compared(first.values, second.values) == "different"):
            return call, _told(call, first, second)
    return None


def _calls(task: Task, source: random.Random) -> Iterator[Call]:
    """Yield calls on drawn inputs, then the public ones."""
    for check in task.checks:
        cases = [Case(given, check.ask(*given), False) for draw in check.strata[:3] if (given := draw(source))]
        for case in [*cases, *check.public_cases]:
            call = call_of(task, case)
            if call is not None and fits(call.text) and call.text.count("\n") < LONGEST:
                yield call


def _namespace(task: Task, lines: Lines) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in [*cells_before(task), "\n".join(lines)]:
        exec(compile(cell, f"<a program for {task.name}>", "exec", dont_inherit=True), names)
    return names


def _told(call: Call, wrong: Outcome, right: Outcome) -> str:
    """Say what both give, in an order that does not tell which is which."""
    for expression in call.shown:
        found = [_seen(one, expression) for one in (wrong, right)]
        told = sorted(one.text for one in found if one is not None)
        if len(told) == 2 and told[0] != told[1]:
            named = f"`{expression}` is" if call.program else "The call gives"
            return f"{named} {told[0]} with one of them, and {told[1]} with the other."
    return "The two do not give the same."


def _seen(outcome: Outcome, expression: str) -> Fact | None:
    if outcome.raised:
        return Fact(f"an error ({outcome.raised})", "error")
    return fact(outcome.values.get(expression))
