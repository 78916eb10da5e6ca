"""Reading the graph of a node of a student's own scalar engine."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.pictures.ancestors import MOST, ancestors
from autograder.pictures.graph import Edge, Graph, Node
from autograder.pictures.parents import belongs, family, stored
from autograder.pictures.text import clean, number

OPERATION = ("op", "operation", "kind")
NAME = ("label", "name")
MISSING = object()


def read_engine(output: object, names: Mapping[str, object]) -> Graph:
    """Read the graph of an object with `.data`, `.grad` and its parents in some attribute.

    Args:
        output: the node to start from; its class decides what else is a node.
        names: nodes by name; entries that are not nodes are ignored.

    Raises:
        TypeError: `output` is not such an object.
    """
    classes = family(output)
    if not classes or issubclass(type(output), type) or member(output, "data") is MISSING:
        what = clean(type.__getattribute__(type(output), "__name__"))
        raise TypeError(f"draw() takes a list of edges, a tensor or a node with .data and .grad, not {what}")

    found = ancestors(output)
    index_of = {id(node): index for index, (node, _) in enumerate(found)}
    known = {id(node): clean(name) for name, node in names.items() if belongs(node, classes)}
    graph = Graph(nodes=[_node(node, known.get(id(node), "")) for node, _ in found])
    for target, (_, parents) in enumerate(found):
        for parent, local in parents:
            if id(parent) in index_of:
                label = "" if local is None else number(local)
                graph.edges.append(Edge(index_of[id(parent)], target, label))
    graph.assign_roles(output=0)
    # The walk went backwards: reversed, inputs come in the order in which they were written.
    graph.keep(list(reversed(range(len(found)))))
    graph.notes += [f"{name} is not part of this graph" for key, name in known.items() if key not in index_of]
    if len(found) >= MOST:
        graph.notes.append(f"reading stopped after {MOST:,} nodes")
    return graph


def _node(node: object, name: str) -> Node:
    data, grad = member(node, "data"), member(node, "grad")
    return Node(
        name=name or word(node, NAME),
        kind=word(node, OPERATION),
        value="" if data is MISSING else number(data),
        gradient="" if grad is MISSING else number(grad),
        important=bool(name),
    )


def word(node: object, names: tuple[str, ...]) -> str:
    """Return a string that a node stores under one of these names, underscores aside; else an empty one."""
    for name, content in stored(node).items():
        if name.strip("_") in names and type(content) is str:
            return clean(content)
    return ""


def member(node: object, name: str) -> object:
    """Return an attribute from storage, from a property or from the class, or `MISSING`.

    Only a property's own getter is called, never `__getattr__`, which may invent any attribute.
    """
    own = stored(node)
    if name in own:
        return own[name]
    for cls in type.__getattribute__(type(node), "__mro__"):
        member = type.__getattribute__(cls, "__dict__").get(name, MISSING)
        if isinstance(member, property) and member.fget is not None:
            try:
                return member.fget(node)
            except Exception:  # a student's getter may do anything
                return MISSING
        if type(member) in (int, float):
            return member
    return MISSING
