"""Reading the course's scalar graphs: lists of (from, to, local derivative)."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.pictures.graph import Edge, Graph, Node, Role
from autograder.pictures.text import number

_SHORT = 4  # characters of a name: "∂loss/∂bias" reads well on an edge, longer names do not
_SMALL = 12  # nodes; in larger graphs such labels take more room than the nodes


def read_edges(edges: Iterable[object], nodes: Iterable[str] = ()) -> Graph:
    """Read (from, to) or (from, to, local derivative or None) triples with strings as names.

    Args:
        edges: the triples; parallel edges stay apart, because each is a path of its own.
        nodes: names for a graph without edges.

    Raises:
        TypeError: an entry is not such a triple.
    """
    graph = Graph()
    index_of: dict[str, int] = {}

    def node(name: str) -> int:
        if name not in index_of:
            index_of[name] = len(graph.nodes)
            graph.nodes.append(Node(name=name))
        return index_of[name]

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

    # One form for the whole picture: "∂u/∂x = 2" if it is small and its names are short, else only the number.
    short = len(index_of) <= _SMALL and all(len(name) <= _SHORT for name in index_of)
    for source, target, derivative in found:
        label = derivative
        if derivative and short:
            label = f"∂{graph.nodes[target].name}/∂{graph.nodes[source].name} = {derivative}"
        graph.edges.append(Edge(source, target, label))
    graph.assign_roles()
    _label_gradients(graph)
    return graph


def _label_gradients(graph: Graph) -> None:
    """Label gradients ∂a/∂x if there is one output a with a short name; else they stay "grad"."""
    outputs = [node.name for node in graph.nodes if node.role == Role.OUTPUT]
    if len(outputs) != 1 or len(outputs[0]) > _SHORT:
        return
    for node in graph.nodes:
        if len(node.name) <= 2 * _SHORT:
            node.gradient_label = f"∂{outputs[0]}/∂{node.name}"
