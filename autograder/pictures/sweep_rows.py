"""A marked graph as the rows of a backward sweep: from the output to the first gradient that differs."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.pictures.graph import NOT_KEPT, Graph
from autograder.pictures.text import clean

HEAD = "Backwards, to the first that differs:"
"""The line above the rows in a picture's text."""


@dataclass(frozen=True)
class SweepRow:
    """A node in the order of the sweep.

    Attributes:
        label: what the picture calls the node.
        yours: the student's gradient where it differs; empty where no difference was seen.
        right: the right gradient.
    """

    label: str
    yours: str
    right: str

    def __str__(self) -> str:
        return f"- {self.label}: {self.right}" + (f" (yours: {self.yours})" if self.yours else "")


def sweep_table(graph: Graph) -> list[SweepRow]:
    """Return the nodes of a marked and sorted graph, from the output back to the first with a wrong gradient.

    Args:
        graph: holds right gradients, and `Wrong` with both numbers where the student's differs. Nodes without a
            name or a gradient are left out; if none is marked, there are no rows.
    """
    rows: list[SweepRow] = []
    for label, node in reversed(list(zip(graph.labels(), graph.nodes, strict=True))):
        if node.wrong is not None and node.wrong.expected is not None:
            return [*rows, SweepRow(clean(label), clean(node.wrong.got), clean(node.wrong.expected))]
        if node.name and node.gradient not in ("", "None", NOT_KEPT):
            rows.append(SweepRow(clean(label), "", clean(node.gradient)))
    return []


def read_rows(text: str) -> list[SweepRow]:
    """Read the rows back from a picture's text."""
    _, _, lines = text.partition(f"\n{HEAD}\n")
    rows = []
    for line in lines.splitlines():
        if not line.startswith("- "):
            break
        label, _, numbers = line[2:].rpartition(": ") if "(yours: " not in line else line[2:].partition(": ")
        right, _, yours = numbers.partition(" (yours: ")
        rows.append(SweepRow(label, yours.removesuffix(")"), right))
    return rows
