"""Short, harmless texts from numbers and names that a student may have chosen."""

from __future__ import annotations

import unicodedata

_NARROW = frozenset("iljtfrI.,:;'|!()[]{}/ `")
_BROAD = frozenset("mwMW@%…—")


def number(value: object) -> str:
    """Four significant digits, never "-0"; the type's name where it is no number. Never raises."""
    if value is None or isinstance(value, bool):
        return str(value)
    if type(value) is str:
        return clean(value)
    try:
        text = f"{float(value):.4g}"  # type: ignore[arg-type]
    except OverflowError:
        return "huge"
    except Exception:
        # Anything may stand where a number belongs, and its conversion is somebody else's code.
        return clean(type.__getattribute__(type(value), "__name__"))
    return "0" if text == "-0" else text


def count(amount: int, noun: str) -> str:
    """ "1 node", "9,998 nodes"."""
    return f"{amount:,} {noun}" + ("" if amount == 1 else "s")


def clean(text: str, longest: int = 60) -> str:
    """Cut to `longest` characters, on one line, without control, formatting or surrogate characters.

    Such characters would break the SVG (XML forbids most of them) or turn its text around.
    """
    text = str.__str__(text)[: longest + 1]  # a str subclass may lie about itself
    safe = "".join(" " if char.isspace() else _visible(char) for char in text)
    return safe if len(safe) <= longest else safe[: longest - 1] + "…"


def _visible(char: str) -> str:
    return "�" if unicodedata.category(char).startswith("C") else char


def width(text: str, size: float) -> float:
    """Estimate the width of a text in a sans-serif font of `size`, on the generous side."""
    return size * sum(map(_em, text))


def _em(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF" or char in _BROAD:
        return 1.0
    if char in _NARROW:
        return 0.38
    return 0.7 if char.isupper() else 0.62
