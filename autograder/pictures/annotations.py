"""Annotations of a graph by the caller: numbers, and marks on wrong ones."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.pictures.graph import BETWEEN, Graph, Node, Wrong
from autograder.pictures.text import clean, number

CROSS = "✗"
MOST_NAMES = 5
"""Names of nodes that a note lists."""


def annotate(graph: Graph, values: Mapping[str, object], gradients: Mapping[str, object]) -> None:
    """Write values and gradients into the nodes with these names; names that the graph lacks become a note."""
    lacking = dict.fromkeys([*values, *gradients])
    for node in graph.nodes:
        for name in _names(node):
            if name in values:
                node.value, node.value_label = number(values[name]), "value"
            if name in gradients:
                node.gradient = number(gradients[name])
            lacking.pop(name, None)
    if lacking:
        graph.notes.append(_not_there(list(lacking)))


def _names(node: Node) -> list[str]:
    """Return a node's name or names: a tensor may have been given several, which are shown side by side."""
    return list(dict.fromkeys([node.name, *node.name.split(BETWEEN)])) if node.name else []


def _not_there(names: list[object]) -> str:
    """Say which names the graph lacks; of many, the first."""
    told = [clean(name, 40) if type(name) is str else number(name) for name in names[:MOST_NAMES]]
    if len(names) > MOST_NAMES:
        told.append(f"{len(names) - MOST_NAMES} more")
    *first, last = told
    return f"{', '.join(first)} and {last} are not part of this graph" if first else f"{last} is not part of this graph"


def mark_wrong(graph: Graph, wrong: Mapping[str, object]) -> None:
    """Mark the nodes with these names; a name that the graph lacks becomes a note, so no mark is lost.

    Args:
        wrong: by name, (got, expected), or only what the student got.
    """
    marks = {name if type(name) is str else number(name): _mark(entry) for name, entry in wrong.items()}
    seen = set()
    for node in graph.nodes:
        for name in _names(node):
            if name in marks:
                node.wrong = marks[name]
                node.important = True
                seen.add(name)
    for name, mark in marks.items():
        if name not in seen:
            graph.notes.append(f"{CROSS} {clean(name, 40)} (not in this graph): {mark}")


def first_wrong(graph: Graph, backwards: bool) -> str:
    """Say which of several marked nodes come first: no other leads to them; "" if only one is marked.

    Args:
        graph: with its wrong nodes marked, and sorted.
        backwards: whether the numbers were computed from the output to the leaves, as gradients are.
    """
    before: dict[int, set[int]] = {index: set() for index in range(len(graph.nodes))}
    edges = [(edge.target, edge.source) if backwards else (edge.source, edge.target) for edge in graph.edges]
    for at, to in sorted(edges, reverse=backwards):
        before[to] |= {at, *before[at]}
    wrong = {index for index, node in enumerate(graph.nodes) if node.wrong}
    first = [clean(graph.nodes[index].name, 40) for index in sorted(wrong) if not before[index] & wrong]
    if len(wrong) < 2 or not 0 < len(first) < len(wrong):
        return ""
    way = "back from the output" if backwards else "from the leaves to the output"
    several = f"are those of {', '.join(first[:-1])} and {first[-1]}" if first[1:] else f"is that of {first[0]}"
    return f"On the way {way}, the first wrong number{'s' * bool(first[1:])} {several}"


def _mark(entry: object) -> Wrong:
    if type(entry) is tuple and len(entry) == 2:
        return Wrong(number(entry[0]), number(entry[1]))
    return Wrong(number(entry))
