"""Pictures of computation graphs: the course's edge lists, torch's autograd graphs and students' scalar engines."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from autograder.pictures.alt_text import describe
from autograder.pictures.annotations import annotate, first_wrong, mark_wrong
from autograder.pictures.edge_lists import read_edges
from autograder.pictures.engines import read_engine
from autograder.pictures.folding import fold
from autograder.pictures.graph import Graph
from autograder.pictures.layout import LayoutError, lay_out
from autograder.pictures.picture import Picture
from autograder.pictures.svg import paint
from autograder.pictures.sweep_rows import sweep_table

__all__ = ["Picture", "draw", "picture_of"]


def draw(
    thing: object,
    *,
    values: Mapping[str, object] | None = None,
    gradients: Mapping[str, object] | None = None,
    names: Mapping[str, object] | None = None,
    wrong: Mapping[str, object] | None = None,
    title: str | None = None,
    backwards: bool | None = None,
) -> Picture:
    """Draw a computation graph from left to right, with values and gradients.

    A graph of more than 30 nodes is folded, and the picture says what it hides.

    Args:
        thing: a list of edges (from, to, local derivative or None) with strings as names; or a torch tensor,
            whose current autograd graph is shown; or a node of your own scalar engine, an object with `.data`,
            `.grad` and its parents in some attribute.
        values: the number to show in each node, by name.
        gradients: the partial derivative of the output with respect to each node, by name.
        names: a tensor or engine node for each name; a list of edges has its names already.
        wrong: for each name of a wrong node, (got, expected), or only what you got. A name in one of these three dicts
            that the graph lacks is named below the picture.
        title: shown above the picture.
        backwards: note the first wrong number on the way back from the output (True), or towards it (False).

    Returns:
        A `Picture`; without Graphviz it holds only the text and says so.

    Raises:
        TypeError: `thing` is none of the three, or another argument has the wrong type.
    """
    given = {"values": values, "gradients": gradients, "names": names, "wrong": wrong}
    for argument, mapping in given.items():
        if mapping is not None and not isinstance(mapping, Mapping):
            raise TypeError(f"draw({argument}=...) takes a dict with names as keys, not {type(mapping).__name__}")
    if title is not None and not isinstance(title, str):
        raise TypeError(f"draw(title=...) takes a text, not {type(title).__name__}")
    graph = _read(thing, names or {}, values or {}, gradients or {})
    annotate(graph, values or {}, gradients or {})
    mark_wrong(graph, wrong or {})
    graph.sort()
    if backwards is not None and (note := first_wrong(graph, backwards)):
        graph.notes.append(note)
    graph.sweep = [str(row) for row in sweep_table(graph)] if backwards else []
    return picture_of(graph, title or "")


def picture_of(graph: Graph, title: str = "") -> Picture:
    """Fold a sorted graph where it is large, and paint it."""
    fold(graph)
    for node in graph.nodes:
        if node.details is not None:
            node.notes += node.details()
    alt = describe(graph, title or "Computation graph")
    try:
        return Picture(paint(graph, lay_out(graph), title, alt), alt)
    except LayoutError as error:
        return Picture("", f"{alt}\nNote: {error}")


def _read(
    thing: object, names: Mapping[str, object], values: Mapping[str, object], gradients: Mapping[str, object]
) -> Graph:
    if isinstance(thing, (list, tuple)):
        graph = read_edges(thing, [*values, *gradients])
        if not graph.nodes:
            raise TypeError("draw() has nothing to draw: the list of edges is empty")
        return graph
    # Importing torch takes a second, and a tensor exists only if torch has been imported already.
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(thing, torch.Tensor):
        from autograder.pictures.autograd_graphs import read_tensor

        return read_tensor(thing, names)
    return read_engine(thing, names)
