"""The lines in a node's box, and the box's size."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from autograder.pictures.annotations import CROSS
from autograder.pictures.graph import NOT_KEPT, Node, Role, Wrong
from autograder.pictures.text import clean, width

NAME, ROW, SMALL = 15, 13, 11  # font sizes
PADDING = 10
ABSENT = ("None", NOT_KEPT)
_GAP = 14  # between a row's label and its number
_LONGEST = 24
_SIGN = 6


class LineStyle(enum.Enum):
    """What a line of a box shows, which decides its look."""

    NAME = enum.auto()
    KIND = enum.auto()
    VALUE = enum.auto()
    GRADIENT = enum.auto()
    NOTE = enum.auto()
    WRONG = enum.auto()


@dataclass
class Line:
    """One line of a box: centred, or a label on the left with a number on the right.

    Attributes:
        height: in pixels, like all measures here.
    """

    style: LineStyle
    text: str
    label: str = ""
    size: int = ROW
    height: int = 20


@dataclass
class Box:
    """Lines from top to bottom and the size of the rectangle around them."""

    lines: list[Line] = field(default_factory=list)
    width: float = 0
    height: float = 0


def box(node: Node) -> Box:
    """Lay out a node's texts: name and operation, the value, below it the gradient, then notes."""
    lines = []
    if node.name or not node.kind:
        lines.append(Line(LineStyle.NAME, clean(node.name or node.role, _LONGEST), size=NAME, height=24))
    if node.kind and node.name:
        lines.append(Line(LineStyle.KIND, clean(node.kind, _LONGEST), size=SMALL + 1, height=18))
    elif node.kind:
        # An operator such as * is large; the long names of torch's nodes are small.
        size = NAME if len(node.kind) <= _SIGN else SMALL + 1
        lines.append(Line(LineStyle.NAME, clean(node.kind, _LONGEST), size=size, height=24))
    lines += [Line(LineStyle.VALUE, clean(node.value, _LONGEST), node.value_label)] if node.value else []
    if node.gradient:
        lines.append(Line(LineStyle.GRADIENT, clean(node.gradient, _LONGEST), clean(node.gradient_label, _LONGEST)))
    if node.wrong:
        _mark(lines, node.wrong)
    lines += [Line(LineStyle.NOTE, clean(note, 32), size=SMALL, height=16) for note in node.notes]
    widest = max(_width(line) for line in lines)
    narrowest = 40 if node.role == Role.FOLDED else 64
    return Box(lines, max(widest + 2 * PADDING, narrowest), sum(line.height for line in lines) + PADDING)


def _mark(lines: list[Line], wrong: Wrong) -> None:
    """Write "got" and "expected" into the row of the wrong number.

    That row is the gradient's if it shows the number, else the value's if that does, else a new one.
    """
    got = clean(wrong.got, _LONGEST)
    rows = [
        line
        for style in (LineStyle.GRADIENT, LineStyle.VALUE)
        for line in lines
        if line.style == style and line.text == got
    ]
    row = rows[0] if rows else Line(LineStyle.WRONG, "", " ")
    if not rows:
        lines.append(row)
    row.style, row.text = LineStyle.WRONG, f"{CROSS} got {got}"
    if wrong.expected is not None:
        expected = Line(LineStyle.WRONG, f"expected {clean(wrong.expected, _LONGEST)}", " ")
        lines.insert(next(i for i, line in enumerate(lines) if line is row) + 1, expected)


def _width(line: Line) -> float:
    bold = 1.08 if line.style not in (LineStyle.KIND, LineStyle.NOTE) else 1.0
    label = width(line.label, SMALL + 1) + _GAP if line.label else 0
    return bold * width(line.text, line.size) + label
