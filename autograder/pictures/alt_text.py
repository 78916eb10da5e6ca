"""Alternative text: a picture in words, from the same graph as the image."""

from __future__ import annotations

from autograder.pictures.annotations import CROSS
from autograder.pictures.graph import Graph, Node, Role
from autograder.pictures.picture import WRONG
from autograder.pictures.sweep_rows import HEAD
from autograder.pictures.text import clean, count


def describe(graph: Graph, title: str) -> str:
    """Return the whole picture as lines: nodes, edges, wrong numbers, folded nodes, notes."""
    labels = [clean(label) for label in graph.labels()]
    total = sum(node.count for node in graph.nodes)
    outputs = [label for label, node in zip(labels, graph.nodes, strict=True) if node.role == Role.OUTPUT]
    head = f"{clean(title, 120)}: {count(total, 'node')}"
    if outputs:
        head += f", output {', '.join(outputs)}"
    lines = [head + "."]

    shown = [(label, node) for label, node in zip(labels, graph.nodes, strict=True) if node.role != Role.FOLDED]
    lines.append("Nodes:")
    lines += [f"- {label} ({node.role}){_content(node)}" for label, node in shown]
    if graph.edges:
        lines.append("Edges:")
        for edge in graph.edges:
            label = f": {clean(edge.label)}" if edge.label else ""
            lines.append(f"- {labels[edge.source]} → {labels[edge.target]}{label}")
    wrong = [f"- {CROSS} {label}: {node.wrong}" for label, node in shown if node.wrong]
    if wrong:
        lines += [WRONG.strip(), *wrong]
    folded = [node for node in graph.nodes if node.role == Role.FOLDED]
    if folded:
        lines.append(f"Folded: {count(sum(node.count for node in folded), 'node')}.")
        lines += [f"- {clean(node.name)}{_content(node)}" for node in folded]
    lines += [f"Note: {clean(note, 120)}" for note in graph.notes]
    return "\n".join([*lines, HEAD, *graph.sweep] if graph.sweep else lines)


def _content(node: Node) -> str:
    parts = []
    if node.kind and node.name:
        parts.append(clean(node.kind))
    if node.value:
        parts.append(f"{node.value_label} {clean(node.value)}")
    if node.gradient:
        parts.append(f"{clean(node.gradient_label)} {clean(node.gradient)}")
    parts += [clean(note) for note in node.notes]
    return ": " + ", ".join(parts) if parts else ""
