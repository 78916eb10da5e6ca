"""Text of a student for a terminal, a log, a table or a page: what would act there, or not be seen, is spelled out."""

from __future__ import annotations

import re
import unicodedata

SPACE = "Zs"
"""Unicode's category of spaces; like letters and signs they only take room."""
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
"""Letters, signs and marks that are drawn as nothing: two names that differ by one look alike."""


def visible(text: str, kept: str = "\n\t") -> str:
    r"""The same text with every character that has no shape of its own as Python writes it: `\x1b`, `\u202e`.

    Those are Unicode's categories C (controls, formats such as marks of direction, surrogates, private use,
    unassigned), its separators of lines, and fillers.

    Args:
        text: whatever a student chose.
        kept: characters that stay all the same, where they are layout; empty for what must stay on one line.
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
