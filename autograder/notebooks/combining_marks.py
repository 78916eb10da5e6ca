"""Limit stacked combining marks ("Zalgo text"): a browser hangs while it draws 100,000 of them on one letter."""

from __future__ import annotations

import unicodedata

MOST = 20
"""Combining marks that one letter keeps; no script needs more than a few."""


def limit_marks(text: str) -> str:
    """Drop the combining marks after the first `MOST` in a row."""
    if text.isascii() or not _has_stack(text):
        return text
    kept, run = [], 0
    for character in text:
        run = run + 1 if _is_mark(character) else 0
        if run <= MOST:
            kept.append(character)
    return "".join(kept)


def _has_stack(text: str) -> bool:
    """Return whether more than `MOST` marks may follow each other: such a run covers one of the sampled characters."""
    return any(_is_mark(character) for character in text[MOST :: MOST + 1])


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"
