"""A step of a sweep as a picture, and all of them as a table."""

from __future__ import annotations

from autograder.pictures import Picture, picture_of
from autograder.pictures.graph import Edge, Graph, Node, Wrong
from autograder.stepping.sweep import Sweep

MOST = 40
"""Nodes, and so steps, that are shown; of a longer sweep those around its first difference."""
MARK = "✗"


def shown_steps(sweep: Sweep) -> range:
    """Return the steps that are shown: all, or in a large graph those around the first that differs."""
    total = len(sweep.steps)
    if total <= MOST:
        return range(total)
    start = max(0, min((sweep.first or 0) - MOST // 2, total - MOST))
    return range(start, start + MOST)


def hidden(sweep: Sweep) -> str:
    """Say how many steps are not shown; "" if all are."""
    steps = shown_steps(sweep)
    left_out = len(sweep.steps) - len(steps)
    if not left_out:
        return ""
    around = "" if sweep.first is None else " around the first that differs"
    shown = f"{steps[0] + 1} to {steps[-1] + 1}"
    return f"{left_out:,} of {len(sweep.steps):,} steps are hidden; shown are steps {shown}{around}."


def picture(sweep: Sweep, at: int) -> Picture:
    """Draw the graph at a step: the gradients so far, the step's node in a second frame, wrong numbers marked."""
    step, held = sweep.steps[at], sweep.gradients(at)
    graph = Graph()
    for index, place in enumerate(sweep.places):
        graph.nodes.append(Node(place.label, place.kind, value=place.value, gradient=held.get(index, "")))
    for one in sweep.steps[: at + 1]:
        node = graph.nodes[one.node]
        node.gradient = held.get(one.node, one.yours) if one.node != step.node else one.yours
        if one.differs:
            node.wrong = Wrong(one.yours, one.right)
            node.gradient = one.yours
    current = graph.nodes[step.node]
    current.current = current.important = True
    current.notes.append("this step")
    graph.edges = [Edge(*edge) for edge in sweep.edges]
    for edge in graph.edges:
        if step.node in (edge.source, edge.target):
            graph.nodes[edge.source].important = graph.nodes[edge.target].important = True
    graph.assign_roles(output=0)
    graph.keep(list(reversed(range(len(graph.nodes)))))
    graph.sort()
    return picture_of(graph, f"Step {at + 1} of {len(sweep.steps)}")


def table_as_text(sweep: Sweep) -> str:
    """Write the steps as a table that ends at the first difference."""
    steps = shown_steps(sweep)
    end = len(sweep.steps) if sweep.first is None else sweep.first + 1
    rows = [("step", "node", "yours", "right", "")]
    for at in range(steps.start, min(end, steps.stop)):
        step = sweep.steps[at]
        mark = MARK if step.differs else ""
        rows.append((str(at + 1), sweep.places[step.node].label, step.yours, step.right, mark))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    numeric = (True, False, True, True, False)
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in rows
    )
