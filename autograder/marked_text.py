"""Texts with `backticks` as HTML, and the colours of every card.

Text takes its colour from the page, so that it is readable on light and dark backgrounds; coloured marks bring their
own background, and words repeat what a colour says.
"""

from __future__ import annotations

from html import escape

CODE = "color:inherit;background:rgba(128,128,128,.15);border-radius:2px"
PRE = "color:inherit;background:none;border:0;padding:0;margin:.2em 1em;white-space:pre-wrap"
MARK = "background:{colour};color:#ffffff;border-radius:3px;padding:0 .4em"
RIGHT, PARTLY, WRONG, ASKED = "#2e7d6b", "#a8740f", "#ba4c44", "#5b6b8c"
"""Colours with enough contrast as a border on white and dark backgrounds, and as a background of white text."""


def with_code(text: str, tag: str = f'<code style="{CODE}">') -> str:
    """Escape a text and turn what is in `backticks` into code, which begins with a tag."""
    pieces = escape(text).split("`")
    if len(pieces) % 2 == 0:  # an odd number of backticks: leave them as they are
        return "`".join(pieces)
    return "".join(f"{tag}{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))


def mark(words: str, colour: str) -> str:
    """Return a few words as a coloured mark."""
    return f'<span style="{MARK.format(colour=colour)}">{escape(words)}</span>'
