"""Accents piled on one letter: a browser that draws 100,000 of them is not seen again."""

from __future__ import annotations

import unicodedata

MOST = 20
"""Marks on one letter; no script has more than a few."""


def without_piles(text: str) -> str:
    """The text with at most so many marks in a row."""
    if text.isascii() or not _has_pile(text):
        return text
    kept, run = [], 0
    for character in text:
        run = run + 1 if _is_mark(character) else 0
        if run <= MOST:
            kept.append(character)
    return "".join(kept)


def _has_pile(text: str) -> bool:
    """Whether there is one: every so many characters, one of it must come by."""
    return any(_is_mark(character) for character in text[MOST :: MOST + 1])


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"
