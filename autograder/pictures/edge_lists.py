"""A scalar graph as the course writes it: a list of (from, to, local derivative)."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.pictures.graph import OUTPUT, Edge, Graph, Node
from autograder.pictures.text import number

_SHORT = 4  # "∂loss/∂bias" still reads well on an edge, longer names do not
_SMALL = 12  # nodes; in larger pictures such labels take more room than the graph


def read_edges(edges: Iterable[object], nodes: Iterable[str] = ()) -> Graph:
    """Read (from, to) or (from, to, local derivative or None) triples with strings as names.

    Args:
        edges: parallel edges stay apart, as their products do.
        nodes: names to show even where no edge mentions them, used for a graph without edges.

    Raises:
        TypeError: an entry has another form.
    """
    graph = Graph()
    place: dict[str, int] = {}

    def node(name: str) -> int:
        if name not in place:
            place[name] = len(graph.nodes)
            graph.nodes.append(Node(name=name))
        return place[name]

    found: list[tuple[int, int, str]] = []
    for position, edge in enumerate(edges):
        if not isinstance(edge, (tuple, list)) or len(edge) not in (2, 3):
            raise TypeError(f"edge {position} of the list is not (from, to, local derivative)")
        source, target, *local = edge
        if type(source) is not str or type(target) is not str:
            raise TypeError(f"edge {position} of the list does not start with two names of nodes, as strings")
        derivative = number(local[0]) if local and local[0] is not None else ""
        found.append((node(source), node(target), derivative))
    if not found:
        for name in nodes:
            node(name)

    # One form for the whole picture: "∂u/∂x = 2" in a small one with short names, else the number alone.
    short = len(place) <= _SMALL and all(len(name) <= _SHORT for name in place)
    for source, target, derivative in found:
        label = derivative
        if derivative and short:
            label = f"∂{graph.nodes[target].name}/∂{graph.nodes[source].name} = {derivative}"
        graph.edges.append(Edge(source, target, label))
    graph.assign_roles()
    _label_gradients(graph)
    return graph


def _label_gradients(graph: Graph) -> None:
    """Write ∂a/∂x beside a partial where there is one output a; where there are more, "grad"."""
    outputs = [node.name for node in graph.nodes if node.role == OUTPUT]
    if len(outputs) != 1 or len(outputs[0]) > _SHORT:
        return
    for node in graph.nodes:
        if len(node.name) <= 2 * _SHORT:
            node.gradient_label = f"∂{outputs[0]}/∂{node.name}"
