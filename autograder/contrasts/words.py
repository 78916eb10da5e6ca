"""Numbers in the sentences that relate them."""

from __future__ import annotations

import math


def number(value: float) -> str:
    """Write a number in at most five significant digits."""
    return f"{value + 0.0:.5g}"


def plainest(low: float, high: float) -> str:
    """Return the number with the fewest digits between two."""
    for digits in range(-3, 8):
        step = 10.0**-digits
        number = math.ceil(low / step) * step
        if low <= number < high:
            return f"{number + 0.0:.{max(digits, 0)}f}"
    return f"{(low + high) / 2:.4g}"
