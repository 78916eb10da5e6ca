"""SVG of one node: its outline and its lines."""

from __future__ import annotations

from html import escape

from autograder.pictures import style
from autograder.pictures.boxes import ABSENT, PADDING, SMALL, Box, Line, LineStyle
from autograder.pictures.graph import Node, Role
from autograder.pictures.layout import Point

_QUIET = (LineStyle.KIND, LineStyle.NOTE)


def node_box(node: Node, size: Box, centre: Point) -> str:
    """Return the SVG of a node's box around `centre`."""
    left, top = centre[0] - size.width / 2, centre[1] - size.height / 2
    parts = [outline(node.role, left, top, size.width, size.height, wrong=node.wrong is not None)]
    if node.current:
        frame = f'fill="none" stroke="{style.CURRENT}" stroke-width="3"'
        parts.append(_rectangle(left - 5, top - 5, size.width + 10, size.height + 10, 8, frame))
    y = top + PADDING / 2
    ruled = False
    for line in size.lines:
        # A rule separates the name from the numbers.
        if line.label and not ruled:
            ruled = True
            parts.append(
                f'<path d="M{left + 6:.1f} {y:.1f} H{left + size.width - 6:.1f}" '
                f'stroke="{style.INK}" stroke-opacity="{style.FAINT}"/>'
            )
        parts.append(_line(line, left, y + line.height / 2, size.width, quiet=node.role == Role.FOLDED))
        y += line.height
    return "\n".join(parts)


def outline(role: Role, left: float, top: float, width: float, height: float, *, wrong: bool = False) -> str:
    """Return the SVG of a role's frame; the output's is double, a wrong node's thick and dashed."""
    fill, opacity, stroke, attributes, radius = style.OUTLINES[Role.WRONG if wrong else role]
    if wrong:
        radius = style.OUTLINES[role][4]
    looks = f'fill="{fill}" fill-opacity="{opacity}" stroke="{stroke}" {attributes}'
    parts = [_rectangle(left, top, width, height, radius, looks)]
    if role == Role.OUTPUT:
        inner = f'fill="none" stroke="{stroke}" stroke-width="1"'
        parts.append(_rectangle(left + 3, top + 3, width - 6, height - 6, 2, inner))
    return "\n".join(parts)


def text(
    x: float,
    y: float,
    content: str,
    size: int,
    *,
    anchor: str = "middle",
    bold: bool = False,
    italic: bool = False,
    quiet: bool = False,
) -> str:
    """Return the SVG of one line of text, escaped, with its middle at height `y`."""
    looks = ' font-weight="bold"' if bold else ""
    looks += ' font-style="italic"' if italic else ""
    looks += f' fill-opacity="{style.QUIET}"' if quiet else ""
    # Lowering the baseline by 0.35 of the size centres digits in every renderer.
    return (
        f'<text x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{style.INK}"{looks}>{escape(content)}</text>'
    )


def _line(line: Line, left: float, y: float, width: float, *, quiet: bool) -> str:
    if not line.label:
        bold = line.style is LineStyle.NAME and not quiet
        italic = line.style is LineStyle.KIND
        return text(left + width / 2, y, line.text, line.size, bold=bold, italic=italic, quiet=line.style in _QUIET)
    # Gradients are what a reader looks for; words instead of one, such as "None", are less prominent than values.
    words = line.style is LineStyle.GRADIENT and line.text in ABSENT
    bold = line.style is not LineStyle.VALUE and not words
    figure = text(left + width - PADDING, y, line.text, line.size, anchor="end", bold=bold, quiet=words)
    if not line.label.strip():
        return figure
    return text(left + PADDING, y, line.label, SMALL + 1, anchor="start", quiet=True) + "\n" + figure


def _rectangle(left: float, top: float, width: float, height: float, radius: int, looks: str) -> str:
    place = f'x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} rx="{radius}" {looks}/>'
