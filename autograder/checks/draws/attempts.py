"""Draw again until inputs pass a task's guard, and give up where none ever do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Drawn = TypeVar("Drawn")
MOST = 10_000
"""Guards pass after a few draws; a class must not wait for one that never does."""


def passing(draw: Callable[[], Drawn], passes: Callable[[Drawn], bool]) -> Drawn:
    """Draw until something passes, and return it.

    Raises:
        LookupError: after too many draws.
    """
    for _ in range(MOST):
        if passes(drawn := draw()):
            return drawn
    raise LookupError(f"none of {MOST:,} draws passed the task's guard: make the guard or the draw wider")
