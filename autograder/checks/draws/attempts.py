"""Draw again until inputs pass a task's guard, and give up where none ever do."""

from __future__ import annotations

from collections.abc import Iterator

MOST = 10_000
"""Guards pass after a few draws; a class must not wait for one that never does."""


def attempts() -> Iterator[int]:
    """Count the attempts at a draw, for a loop that returns what passes.

    Raises:
        LookupError: after too many.
    """
    yield from range(MOST)
    raise LookupError(f"none of {MOST:,} draws passed the task's guard: make the guard or the draw wider")
