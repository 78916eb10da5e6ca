"""Text of a student for a terminal, a log, a table or a page: what would act there, or not be seen, is spelled out."""

from __future__ import annotations

import unicodedata

SPACE = "Zs"
"""Unicode's category of spaces; like letters and signs they only take room."""


def visible(text: str, kept: str = "\n\t") -> str:
    r"""The same text with every character that has no shape of its own as Python writes it: `\x1b`, `\u202e`.

    Those are Unicode's categories C (controls, formats such as marks of direction, surrogates, private use, unassigned)
    and its separators of lines.

    Args:
        text: whatever a student chose.
        kept: characters that stay all the same, where they are layout; empty for what must stay on one line.
    """
    if text.isprintable():
        return text
    return "".join(character if _is_visible(character, kept) else _spelled(character) for character in text)


def _is_visible(character: str, kept: str) -> bool:
    return character.isprintable() or character in kept or unicodedata.category(character) == SPACE


def _spelled(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
