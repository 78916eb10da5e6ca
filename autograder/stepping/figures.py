"""Numbers as texts: two that differ never look alike."""

from __future__ import annotations

from autograder.pictures.text import number

DIGITS = (4, 6, 9, 12, 17)


def both(got: float, expected: float) -> tuple[str, str]:
    """Write two numbers with four significant digits, or with as many as it takes to see that they differ."""
    texts = number(got), number(expected)
    if got == expected or texts[0] != texts[1]:
        return texts
    for digits in DIGITS:
        texts = f"{got:.{digits}g}", f"{expected:.{digits}g}"
        if texts[0] != texts[1]:
            break
    return texts


def in_place_of(got: float, expected: float) -> str:
    """Write "3 in place of 5"."""
    return " in place of ".join(both(got, expected))
