"""Short, harmless texts from numbers, and from names that students may have chosen."""

from __future__ import annotations

import unicodedata

_NARROW = frozenset("iljtfrI.,:;'|!()[]{}/ `")
_BROAD = frozenset("mwMW@%…—")


def number(value: object) -> str:
    """Return a number with four significant digits, never "-0", or another object's type name. Never raises."""
    if value is None or isinstance(value, bool):
        return str(value)
    if type(value) is str:
        return clean(value)
    try:
        text = f"{float(value):.4g}"  # type: ignore[arg-type]  # tried with any object
    except OverflowError:
        return "huge"
    except Exception:
        # It may be any object, whose conversion runs the student's code.
        return clean(type.__getattribute__(type(value), "__name__"))
    return "0" if text == "-0" else text


def count(amount: int, noun: str) -> str:
    """Return an amount with its noun: "1 node", "9,998 nodes"."""
    return f"{amount:,} {noun}" + ("" if amount == 1 else "s")


def clean(text: str, longest: int = 60) -> str:
    """Return a text on one line of at most `longest` characters, without control, format or surrogate characters.

    Such characters would break the SVG (XML forbids most of them) or reverse its text.
    """
    text = str.__str__(text)[: longest + 1]  # a subclass of str may override anything
    safe = "".join(" " if char.isspace() else _visible(char) for char in text)
    return safe if len(safe) <= longest else safe[: longest - 1] + "…"


def _visible(char: str) -> str:
    return "�" if unicodedata.category(char).startswith("C") else char


def width(text: str, size: float) -> float:
    """Return an upper estimate of a text's width in a sans-serif font of this size, in the unit of `size`."""
    return size * sum(map(_em, text))


def _em(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF" or char in _BROAD:
        return 1.0
    if char in _NARROW:
        return 0.38
    return 0.7 if char.isupper() else 0.62
