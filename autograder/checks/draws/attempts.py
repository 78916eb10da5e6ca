"""Rejection sampling: draw until the inputs pass a task's guard, and give up if none do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

Drawn = TypeVar("Drawn")
MOST = 10_000
"""Draws before giving up; a guard usually passes after a few, and grading must not wait for one that never does."""


def passing(draw: Callable[[], Drawn], passes: Callable[[Drawn], bool]) -> Drawn:
    """Return the first draw that passes.

    Raises:
        LookupError: after too many draws.
    """
    for _ in range(MOST):
        if passes(drawn := draw()):
            return drawn
    raise LookupError(f"none of {MOST:,} draws passed the task's guard: make the guard or the draw wider")


def redrawn(make: Callable[[Random], Drawn], clear: Callable[[Drawn], bool]) -> Callable[[Random], tuple[Drawn]]:
    """Make the draw of a check with a single input, which is drawn again until `clear` holds for it."""

    def draw(source: Random) -> tuple[Drawn]:
        return (passing(lambda: make(source), clear),)

    return draw
