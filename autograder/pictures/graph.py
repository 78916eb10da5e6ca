"""The data model of every picture, whatever the graph was read from: nodes, edges and notes."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field

BETWEEN = ", "  # between the names of a node that has several
NOT_KEPT = "not kept"  # instead of the gradient of an intermediate tensor that does not retain it


class Role(enum.StrEnum):
    """The role of a node in its graph, as the key names it; WRONG only replaces the outline of a role."""

    LEAF = "leaf"
    INNER = "intermediate"
    OUTPUT = "output"
    FOLDED = "folded"
    WRONG = "wrong"


@dataclass
class Wrong:
    """A wrong number; `expected` is None if the picture does not show it."""

    got: str
    expected: str | None = None

    def __str__(self) -> str:
        return f"got {self.got}" + (f", expected {self.expected}" if self.expected is not None else "")


@dataclass
class Node:
    """One box of the picture. Texts are raw: the renderers cut and escape them.

    Attributes:
        name: the student's name for it; empty if there is none.
        kind: the operation, or the kind of node.
        details: returns further `notes`; called only for nodes that remain after folding.
        important: survives folding as long as there is room.
        current: drawn with a thick frame: the node that a step of a sweep is at.
        count: how many nodes of the graph this box stands for.
    """

    name: str = ""
    kind: str = ""
    role: Role = Role.INNER
    value: str = ""
    value_label: str = "value"
    gradient: str = ""
    gradient_label: str = "grad"
    notes: list[str] = field(default_factory=list)
    details: Callable[[], list[str]] | None = None
    wrong: Wrong | None = None
    important: bool = False
    current: bool = False
    count: int = 1


@dataclass
class Edge:
    """An edge from an input to a result computed with it; `source` and `target` are indices in `Graph.nodes`."""

    source: int
    target: int
    label: str = ""


@dataclass
class Graph:
    """Nodes and edges, and `notes` about the whole graph: names that it lacks, where reading stopped.

    Attributes:
        sweep: the lines of `sweep_table`, which a picture's text ends with.
    """

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sweep: list[str] = field(default_factory=list)

    def assign_roles(self, output: int | None = None) -> None:
        """Mark the leaves, and as output the node at index `output` or, without it, every node that nothing uses."""
        used = {edge.source for edge in self.edges}
        computed = {edge.target for edge in self.edges}
        for index, node in enumerate(self.nodes):
            if index not in computed:
                node.role = Role.LEAF
            elif index == output or (output is None and index not in used):
                node.role = Role.OUTPUT

    def sort(self) -> None:
        """Sort the nodes topologically, inputs before their users; nodes of a cycle come last."""
        waiting = [0] * len(self.nodes)
        users: list[list[int]] = [[] for _ in self.nodes]
        for edge in self.edges:
            waiting[edge.target] += 1
            users[edge.source].append(edge.target)
        order = [index for index, count in enumerate(waiting) if count == 0]
        for index in order:  # the list grows in the loop
            for user in users[index]:
                waiting[user] -= 1
                if waiting[user] == 0:
                    order.append(user)
        seen = set(order)
        order += [index for index in range(len(self.nodes)) if index not in seen]
        self.keep(order)
        self.edges.sort(key=lambda edge: edge.target)

    def keep(self, order: list[int]) -> None:
        """Reduce the graph to the nodes at these indices, in this order, and the edges among them."""
        index_of = {old: new for new, old in enumerate(order)}
        self.nodes = [self.nodes[old] for old in order]
        self.edges = [
            Edge(index_of[edge.source], index_of[edge.target], edge.label)
            for edge in self.edges
            if edge.source in index_of and edge.target in index_of
        ]

    def labels(self) -> list[str]:
        """Return a label for each node: its name, or its operation, numbered if it repeats."""
        texts = [node.name or node.kind or node.role for node in self.nodes]
        total = {text: texts.count(text) for text in set(texts)}
        seen = dict.fromkeys(total, 0)
        labels = []
        for text in texts:
            seen[text] += 1
            labels.append(text if total[text] == 1 else f"{text} #{seen[text]}")
        return labels
