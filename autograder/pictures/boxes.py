"""What stands in a node's box, line by line, and how much room it takes."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograder.pictures.annotations import CROSS
from autograder.pictures.graph import FOLDED, NOT_KEPT, Node, Wrong
from autograder.pictures.text import clean, width

NAME, ROW, SMALL = 15, 13, 11  # font sizes
PADDING = 10
ABSENT = ("None", NOT_KEPT)
_GAP = 14  # between a row's label and its number
_LONGEST = 24
_SIGN = 6


@dataclass
class Line:
    """One line of a box: centred, or a label on the left with a number on the right.

    Attributes:
        style: name, kind, value, gradient, note or wrong.
        height: in pixels, as all measures here.
    """

    style: str
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
    """Lay a node's texts out: name and operation, the value, below it the gradient, then remarks."""
    lines = []
    if node.name or not node.kind:
        lines.append(Line("name", clean(node.name or node.role, _LONGEST), size=NAME, height=24))
    if node.kind and node.name:
        lines.append(Line("kind", clean(node.kind, _LONGEST), size=SMALL + 1, height=18))
    elif node.kind:
        # A sign such as * is read at a glance, the long names of torch's nodes need not shout.
        size = NAME if len(node.kind) <= _SIGN else SMALL + 1
        lines.append(Line("name", clean(node.kind, _LONGEST), size=size, height=24))
    lines += [Line("value", clean(node.value, _LONGEST), node.value_label)] if node.value else []
    if node.gradient:
        lines.append(Line("gradient", clean(node.gradient, _LONGEST), clean(node.gradient_label, _LONGEST)))
    if node.wrong:
        _mark(lines, node.wrong)
    lines += [Line("note", clean(note, 32), size=SMALL, height=16) for note in node.notes]
    widest = max(_width(line) for line in lines)
    narrowest = 40 if node.role == FOLDED else 64
    return Box(lines, max(widest + 2 * PADDING, narrowest), sum(line.height for line in lines) + PADDING)


def _mark(lines: list[Line], wrong: Wrong) -> None:
    """Say what was got and what was expected, in the row of the number that is meant.

    That is the gradient where it agrees with what was got, else the value, else a row of its own.
    """
    got = clean(wrong.got, _LONGEST)
    rows = [line for style in ("gradient", "value") for line in lines if line.style == style and line.text == got]
    row = rows[0] if rows else Line("wrong", "", " ")
    if not rows:
        lines.append(row)
    row.style, row.text = "wrong", f"{CROSS} got {got}"
    if wrong.expected is not None:
        expected = Line("wrong", f"expected {clean(wrong.expected, _LONGEST)}", " ")
        lines.insert(next(i for i, line in enumerate(lines) if line is row) + 1, expected)


def _width(line: Line) -> float:
    bold = 1.08 if line.style in ("name", "wrong", "value", "gradient") else 1.0
    label = width(line.label, SMALL + 1) + _GAP if line.label else 0
    return bold * width(line.text, line.size) + label
