"""What every picture is made from, whoever drew the graph: nodes, edges and remarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

LEAF, INNER, OUTPUT, FOLDED = "leaf", "intermediate", "output", "folded"
NOT_KEPT = "not kept"  # in the place of a gradient that existed and was given up


@dataclass
class Wrong:
    """A number that is not what it should be; `expected` is None where it is not to be shown."""

    got: str
    expected: str | None = None

    def __str__(self) -> str:
        return f"got {self.got}" + (f", expected {self.expected}" if self.expected is not None else "")


@dataclass
class Node:
    """One box of the picture. Texts are raw: whoever shows them cuts and escapes them.

    Attributes:
        name: what the student calls it; empty where it has no name.
        kind: the operation, or what sort of node it is; small print.
        details: called for nodes that are still there after folding; gives further `notes`.
        important: survives folding as long as there is room.
        count: how many nodes of the graph this box stands for.
    """

    name: str = ""
    kind: str = ""
    role: str = INNER
    value: str = ""
    value_label: str = "value"
    gradient: str = ""
    gradient_label: str = "grad"
    notes: list[str] = field(default_factory=list)
    details: Callable[[], list[str]] | None = None
    wrong: Wrong | None = None
    important: bool = False
    count: int = 1


@dataclass
class Edge:
    """From an input to what was computed with it; `source` and `target` are places in `Graph.nodes`."""

    source: int
    target: int
    label: str = ""


@dataclass
class Graph:
    """Nodes and edges, plus `notes` about the whole: what was not found, where reading stopped."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def assign_roles(self, output: int | None = None) -> None:
        """Mark leaves and outputs: node `output`, or without one every node that nothing uses."""
        used = {edge.source for edge in self.edges}
        computed = {edge.target for edge in self.edges}
        for place, node in enumerate(self.nodes):
            if place not in computed:
                node.role = LEAF
            elif place == output or (output is None and place not in used):
                node.role = OUTPUT

    def sort(self) -> None:
        """Order nodes so that inputs come before what uses them; a cycle's nodes come last."""
        waiting = [0] * len(self.nodes)
        users: list[list[int]] = [[] for _ in self.nodes]
        for edge in self.edges:
            waiting[edge.target] += 1
            users[edge.source].append(edge.target)
        order = [place for place, count in enumerate(waiting) if count == 0]
        for place in order:  # grows while it is read
            for user in users[place]:
                waiting[user] -= 1
                if waiting[user] == 0:
                    order.append(user)
        seen = set(order)
        order += [place for place in range(len(self.nodes)) if place not in seen]
        self.keep(order)
        self.edges.sort(key=lambda edge: edge.target)

    def keep(self, order: list[int]) -> None:
        """Reduce the graph to the nodes at these places, in this order, and the edges among them."""
        place = {old: new for new, old in enumerate(order)}
        self.nodes = [self.nodes[old] for old in order]
        self.edges = [
            Edge(place[edge.source], place[edge.target], edge.label)
            for edge in self.edges
            if edge.source in place and edge.target in place
        ]

    def labels(self) -> list[str]:
        """One text per node to speak of it by: its name, or its operation, numbered where that repeats."""
        texts = [node.name or node.kind or node.role for node in self.nodes]
        total = {text: texts.count(text) for text in set(texts)}
        seen = dict.fromkeys(total, 0)
        labels = []
        for text in texts:
            seen[text] += 1
            labels.append(text if total[text] == 1 else f"{text} #{seen[text]}")
        return labels
