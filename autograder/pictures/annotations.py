"""Annotations of a graph by the caller: numbers, and marks on wrong ones."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.pictures.graph import Graph, Wrong
from autograder.pictures.text import clean, number

CROSS = "✗"


def annotate(graph: Graph, values: Mapping[str, object], gradients: Mapping[str, object]) -> None:
    """Write values and gradients into the nodes with these names; ignore names that the graph lacks."""
    for node in graph.nodes:
        if not node.name:
            continue
        if node.name in values:
            node.value, node.value_label = number(values[node.name]), "value"
        if node.name in gradients:
            node.gradient = number(gradients[node.name])


def mark_wrong(graph: Graph, wrong: Mapping[str, object]) -> None:
    """Mark the nodes with these names; a name that the graph lacks becomes a note, so no mark is lost.

    Args:
        wrong: by name, (got, expected), or only what the student got.
    """
    marks = {name if type(name) is str else number(name): _mark(entry) for name, entry in wrong.items()}
    seen = set()
    for node in graph.nodes:
        if node.name and node.name in marks:
            node.wrong = marks[node.name]
            node.important = True
            seen.add(node.name)
    for name, mark in marks.items():
        if name not in seen:
            graph.notes.append(f"{CROSS} {clean(name, 40)} (not in this graph): {mark}")


def _mark(entry: object) -> Wrong:
    if type(entry) is tuple and len(entry) == 2:
        return Wrong(number(entry[0]), number(entry[1]))
    return Wrong(number(entry))
