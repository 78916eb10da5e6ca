"""Layout of nodes and edges by Graphviz, from sizes alone.

Graphviz is told how large each box and each label is, never what is in it. So it cannot read a student's text as
DOT, and the result does not depend on the machine's fonts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.pictures.boxes import SMALL, Box, box
from autograder.pictures.graph import Graph
from autograder.pictures.text import clean, width

if TYPE_CHECKING:
    from pygraphviz import AGraph

Point = tuple[float, float]
_INCH = 72  # Graphviz takes sizes in inches and returns positions in points; a point is a pixel here


class LayoutError(RuntimeError):
    """Graphviz is missing or could not lay out the graph."""


@dataclass
class Layout:
    """A graph's geometry in pixels, y downwards.

    Attributes:
        boxes: one per node, with its centre.
        curves: one per edge: the points of a piecewise cubic Bézier curve, then the arrow's tip.
        labels: one per edge: the centre of its label, or None.
    """

    width: float
    height: float
    boxes: list[tuple[Box, Point]]
    curves: list[tuple[list[Point], Point]]
    labels: list[Point | None]


def lay_out(graph: Graph) -> Layout:
    """Lay out a graph from left to right.

    Raises:
        LayoutError: Graphviz is missing or failed; the message tells the reader.
    """
    try:
        import pygraphviz
    except (ImportError, OSError) as error:  # OSError: the shared library cannot be loaded
        raise LayoutError("there is no image without Graphviz: pip install pygraphviz") from error

    boxes = [box(node) for node in graph.nodes]
    plan = pygraphviz.AGraph(directed=True, strict=False, rankdir="LR", nodesep="0.3", ranksep="0.45")
    for index, size in enumerate(boxes):
        plan.add_node(
            f"n{index}",
            shape="box",
            label="",  # even the default label would make Graphviz load fonts, with warnings on stderr
            fixedsize="true",
            width=f"{size.width / _INCH:.4f}",
            height=f"{size.height / _INCH:.4f}",
        )
    for index, edge in enumerate(graph.edges):
        # An empty table of the label's size reserves its room.
        room = f'WIDTH="{width(clean(edge.label), SMALL + 1) + 8:.0f}" HEIGHT="18"'
        table = f'<<TABLE BORDER="0" FIXEDSIZE="TRUE" {room}><TR><TD></TD></TR></TABLE>>'
        plan.add_edge(f"n{edge.source}", f"n{edge.target}", key=f"e{index}", **({"label": table} if edge.label else {}))
    try:
        plan.layout(prog="dot")
        return _read(plan, graph, boxes)
    except Exception as error:
        # Whatever the failure, the alternative text says the same as the image would.
        raise LayoutError("Graphviz could not lay this graph out") from error


def _read(plan: AGraph, graph: Graph, boxes: list[Box]) -> Layout:
    _, _, right, top = map(float, plan.graph_attr["bb"].split(","))

    def point(text: str) -> Point:
        x, y = text.split(",")[-2:]
        return float(x), top - float(y)

    centres = [point(plan.get_node(f"n{index}").attr["pos"]) for index in range(len(boxes))]
    curves, labels = [], []
    for index, edge in enumerate(graph.edges):
        attributes = plan.get_edge(f"n{edge.source}", f"n{edge.target}", key=f"e{index}").attr
        # "e,x,y x,y x,y ...": the arrow's tip first; Graphviz wraps long attributes with a backslash.
        tip, *points = attributes["pos"].replace("\\\n", "").split()
        curves.append(([point(text) for text in points], point(tip)))
        labels.append(point(attributes["lp"]) if edge.label else None)
    return Layout(right, top, list(zip(boxes, centres, strict=True)), curves, labels)
