"""Folding: a graph that is too large to read becomes a small one that says how much it hides."""

from __future__ import annotations

from collections import Counter, deque

from autograder.pictures.annotations import CROSS
from autograder.pictures.graph import Edge, Graph, Node, Role
from autograder.pictures.text import clean, count

READABLE = 30  # more nodes than this are folded
_SHOWN = (16, 10, 7)  # nodes that a cut keeps, fewer at each further cut while the graph is still too dense
_DENSE = 40  # edges; with more, a picture is a tangle, and Graphviz needs seconds
_RUN = 4  # nodes; shorter runs stay, because their two ends would be shown anyway
_PARALLEL = 4  # edges between the same two nodes; more are drawn as one


def fold(graph: Graph) -> None:
    """Fold runs, then cut the nodes farthest from the output, until the graph is readable, in linear time.

    A run is a chain of nodes with one input and one user each; its first and last node stay. Nodes
    that are marked important stay while there is room.
    """
    if len(graph.nodes) > READABLE:
        _fold_runs(graph)
    _merge_parallel(graph)
    for shown in _SHOWN:
        if len(graph.nodes) > READABLE or len(graph.edges) > _DENSE:
            _cut(graph, shown)


def _fold_runs(graph: Graph) -> None:
    inputs, users = _neighbours(graph)
    single = [
        len(inputs[index]) == 1 and len(users[index]) == 1 and not node.important and node.role != Role.OUTPUT
        for index, node in enumerate(graph.nodes)
    ]
    hidden: dict[int, int] = {}  # node -> number of its group
    groups = 0
    for index in range(len(graph.nodes)):
        if not single[index] or single[inputs[index][0]]:
            continue  # only a run's first node starts it; a pure cycle has none and stays
        run = [index]
        while single[users[run[-1]][0]]:
            run.append(users[run[-1]][0])
        if len(run) >= _RUN:
            hidden.update(dict.fromkeys(run[1:-1], groups))
            groups += 1
    _replace(graph, hidden, groups)


def _cut(graph: Graph, shown: int) -> None:
    """Keep `shown` nodes: an output, wrong and important ones, those nearest the output; fold the rest."""
    inputs, _ = _neighbours(graph)
    indices = range(len(graph.nodes))
    outputs = [index for index in indices if graph.nodes[index].role == Role.OUTPUT]
    wrong = [index for index in indices if graph.nodes[index].wrong]
    important = [index for index in indices if graph.nodes[index].important]
    kept = set((outputs[:1] + wrong + important)[:shown])
    queue = deque(outputs or indices[-1:])
    seen = set(queue)
    while queue and len(kept) < shown:
        index = queue.popleft()
        kept.add(index)
        for neighbour in inputs[index]:
            if neighbour not in seen:
                seen.add(neighbour)
                queue.append(neighbour)
    hidden = {index: 0 for index in indices if index not in kept}
    for index in hidden:
        if graph.nodes[index].wrong:
            graph.notes.append(f"{CROSS} {clean(graph.nodes[index].name, 40)} (folded): {graph.nodes[index].wrong}")
    _replace(graph, hidden, 1)


def _replace(graph: Graph, hidden: dict[int, int], groups: int) -> None:
    """Replace each group of hidden nodes by one folded node."""
    members: list[list[Node]] = [[] for _ in range(groups)]
    for index, group in hidden.items():
        members[group].append(graph.nodes[index])
    first = len(graph.nodes)
    new = {index: first + group for index, group in hidden.items()}
    edges: list[Edge] = []
    seen: set[tuple[int, int]] = set()
    for edge in graph.edges:
        ends = (new.get(edge.source, edge.source), new.get(edge.target, edge.target))
        if max(ends) < first:
            edges.append(edge)
        elif ends[0] != ends[1] and ends not in seen:  # parallel edges into a group are drawn as one
            seen.add(ends)
            edges.append(Edge(*ends))
    graph.nodes = graph.nodes + [_folded(group) for group in members]
    graph.edges = edges
    graph.keep([index for index in range(len(graph.nodes)) if index not in hidden])
    graph.sort()


def _folded(members: list[Node]) -> Node:
    total = sum(node.count for node in members)
    kinds = Counter(node.kind for node in members if node.kind and node.role not in (Role.LEAF, Role.FOLDED))
    leaves = sum(node.role == Role.LEAF for node in members)
    notes = [f"{amount:,} × {kind}" for kind, amount in kinds.most_common(3)]
    if leaves:
        notes.append(f"{leaves:,} × leaf")
    return Node(name=f"… {count(total, 'node')} …", role=Role.FOLDED, count=total, notes=notes)


def _merge_parallel(graph: Graph) -> None:
    between = Counter((edge.source, edge.target) for edge in graph.edges)
    edges = [edge for edge in graph.edges if between[edge.source, edge.target] <= _PARALLEL]
    merged = [Edge(*ends, count(amount, "edge")) for ends, amount in between.items() if amount > _PARALLEL]
    graph.edges = edges + merged


def _neighbours(graph: Graph) -> tuple[list[list[int]], list[list[int]]]:
    inputs: list[list[int]] = [[] for _ in graph.nodes]
    users: list[list[int]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        inputs[edge.target].append(edge.source)
        users[edge.source].append(edge.target)
    return inputs, users
