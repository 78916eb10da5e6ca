"""Points and counts as text, formatted alike in every table and export."""

from __future__ import annotations

DECIMALS = 4


def submissions(count: int) -> str:
    """Format a number of submissions: 1 submission, 12 submissions."""
    return f"{count} submission" if count == 1 else f"{count} submissions"


def number(points: float) -> str:
    """Format points with a decimal point and without an exponent: 27, 2.5, 0.3333."""
    shown = f"{points:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown
