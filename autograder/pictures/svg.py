"""The image: boxes, arrows and a key in a frame, in the ink of the page."""

from __future__ import annotations

from html import escape

from autograder.pictures import style
from autograder.pictures.boxes import ROW, SMALL
from autograder.pictures.graph import Graph, Role
from autograder.pictures.layout import Layout
from autograder.pictures.node_svg import node_box, outline, text
from autograder.pictures.text import clean, width

_MARGIN = 20
_TITLE = 36
_GAP = 22  # between the graph and its key
_KEY = 30
_NOTE = 18
_NOTES = 6  # further notes are in the alternative text only


def paint(graph: Graph, layout: Layout, title: str, alt: str) -> str:
    """Return the SVG of a graph with its layout; the same graph gives the same bytes."""
    title = clean(title, 80)
    notes = [clean(note, 100) for note in graph.notes[:_NOTES]]
    key = _key(graph)
    top = _MARGIN + (_TITLE if title else 0)
    wide = max(
        [layout.width, sum(size for _, size in key), 1.1 * width(title, 16)]
        + [width(note, SMALL + 1) for note in notes]
    )
    wide += 2 * _MARGIN
    graph_bottom = top + layout.height
    high = graph_bottom + _GAP + _KEY + _NOTE * len(notes) + 4

    spoken = escape(title or "Computation graph")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}" '
        f'viewBox="0 0 {wide:.0f} {high:.0f}" role="img" aria-label="{spoken}" '
        f'font-family="sans-serif">',
        f"<title>{spoken}</title>",
        f"<desc>{escape(alt)}</desc>",
        f'<rect x="0.5" y="0.5" width="{wide - 1:.0f}" height="{high - 1:.0f}" rx="8" '
        f'fill="none" stroke="{style.INK}" stroke-opacity="{style.FAINT}"/>',
    ]
    if title:
        parts.append(text(_MARGIN, _MARGIN + 12, title, 16, anchor="start", bold=True))
    left = _MARGIN + (wide - 2 * _MARGIN - layout.width) / 2
    parts.append(f'<g transform="translate({left:.1f} {top:.1f})">')
    parts += _edges(graph, layout)
    parts += [node_box(node, size, centre) for node, (size, centre) in zip(graph.nodes, layout.boxes, strict=True)]
    parts.append("</g>")
    parts.append(_paint_key(key, graph_bottom + _GAP))
    for row, note in enumerate(notes):
        y = graph_bottom + _GAP + _KEY + _NOTE * row + 8
        parts.append(text(_MARGIN, y, note, SMALL + 1, anchor="start"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _edges(graph: Graph, layout: Layout) -> list[str]:
    parts = []
    for edge, (points, tip), label in zip(graph.edges, layout.curves, layout.labels, strict=True):
        start, *rest = [f"{x:.1f} {y:.1f}" for x, y in points]
        dashes = ' stroke-dasharray="5 4"' if Role.FOLDED in _roles(graph, edge.source, edge.target) else ""
        looks = f'fill="none" stroke="{style.EDGE}" stroke-width="1.4"{dashes}'
        parts.append(f'<path d="M{start} C{" ".join(rest)}" {looks}/>')
        (x, y), (tip_x, tip_y) = points[-1], tip
        across_x, across_y = (tip_y - y) * 0.42, (x - tip_x) * 0.42
        parts.append(
            f'<path d="M{tip_x:.1f} {tip_y:.1f} L{x + across_x:.1f} {y + across_y:.1f} '
            f'L{x - across_x:.1f} {y - across_y:.1f} Z" fill="{style.EDGE}"/>'
        )
        if label is not None:
            parts.append(text(label[0], label[1], clean(edge.label), SMALL + 1))
    return parts


def _roles(graph: Graph, *indices: int) -> set[Role]:
    return {graph.nodes[index].role for index in indices}


def _key(graph: Graph) -> list[tuple[Role, float]]:
    """Return the roles in this picture, which its key explains, each with the width it takes."""
    present = {node.role for node in graph.nodes}
    roles: list[Role] = [role for role in (Role.LEAF, Role.INNER, Role.OUTPUT, Role.FOLDED) if role in present]
    roles += [Role.WRONG] if any(node.wrong for node in graph.nodes) else []
    return [(role, 46 + width(role, SMALL + 1)) for role in roles]


def _paint_key(key: list[tuple[Role, float]], y: float) -> str:
    x = float(_MARGIN)
    parts = []
    for role, size in key:
        parts.append(outline(role, x, y, 20, ROW))
        parts.append(text(x + 27, y + ROW / 2, role, SMALL + 1, anchor="start", quiet=True))
        x += size
    return "\n".join(parts)
