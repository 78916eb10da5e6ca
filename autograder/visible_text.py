"""Escape characters in a student's text that a terminal, log, table or page would obey or not show."""

from __future__ import annotations

import re
import unicodedata

SPACE = "Zs"
"""Unicode's category of spaces, which are harmless."""
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
"""Letters, symbols and marks without a visible shape; two names that differ only by one look alike."""


def visible(text: str, kept: str = "\n\t") -> str:
    r"""Return a text with every invisible character as a Python escape: `\x1b`, `\u202e`.

    Those are Unicode's category C (controls, formats such as direction marks, surrogates, private use, unassigned),
    its line and paragraph separators, and fillers.

    Args:
        text: a text that a student may have chosen.
        kept: layout characters that are not escaped; empty if the text must stay on one line.
    """
    if text.isprintable() and not _UNSEEN.search(text):
        return text
    return "".join(character if _is_visible(character, kept) else _spelled(character) for character in text)


def _is_visible(character: str, kept: str) -> bool:
    if _UNSEEN.match(character):
        return False
    return character.isprintable() or character in kept or unicodedata.category(character) == SPACE


def _spelled(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
