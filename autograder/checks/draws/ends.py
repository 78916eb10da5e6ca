"""Draws at the ends of what every opening promises: numbers near a millionth, and numbers near a million.

A term added to a denominator, a clamp, a threshold, a fixed step or rounding shows there and nowhere else. A draw of
`number`, `tensor_text` or `randn` need not know of it.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from random import Random
from typing import Any

Draw = Callable[[Random], tuple[Any, ...]]
Span = tuple[float, float]
TINY: Span = (2.1e-6, 3.3e-6)
HUGE: Span = (2.1e5, 3.3e5)
"""Sizes whose half and threefold are still near the end, as a program multiplies them with moderate numbers."""
_span: ContextVar[Span | None] = ContextVar("_span", default=None)


def span() -> Span | None:
    """Return the least and the largest size of the numbers to be drawn; None where a draw's own hold."""
    return _span.get()


def unit() -> float:
    """Return 1, and within a draw at an end a number of its order: what a guard's bounds are multiplied with."""
    return 10.0 ** math.floor(math.log10(end[0])) if (end := span()) else 1.0


def flatter(layer: str) -> str:
    """Return a line that makes a layer's weight small where numbers are large, so that a curve after it has a slope."""
    return f"{layer}.weight.data.mul_(3e-6)\n" if span() == HUGE else ""


@contextlib.contextmanager
def of_size(given: Span | None) -> Iterator[None]:
    """Draw the numbers within the block of this size; of None, of each draw's own."""
    before = _span.set(given)
    try:
        yield
    finally:
        _span.reset(before)


def with_ends(draw: Draw, *ends: Span) -> list[Draw]:
    """Return the draw as it is, and with its numbers at these ends: both, if none is given."""
    return [draw, *(_drawn_of_size(draw, end) for end in ends or (TINY, HUGE))]


def _drawn_of_size(draw: Draw, size: Span) -> Draw:
    def at_an_end(source: Random) -> tuple[Any, ...]:
        with of_size(size):
            return draw(source)

    return at_an_end
