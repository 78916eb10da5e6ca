"""Folding: a graph too large to read becomes a small one that says how much it hides."""

from __future__ import annotations

from collections import Counter, deque

from autograder.pictures.annotations import CROSS
from autograder.pictures.graph import FOLDED, LEAF, OUTPUT, Edge, Graph, Node
from autograder.pictures.text import clean, count

READABLE = 30  # more nodes than this are folded
_SHOWN = (16, 10, 7)  # how many stay of what no run holds: the fewer, the denser the graph
_DENSE = 40  # with more edges than this a picture is a tangle, and Graphviz needs seconds
_RUN = 4  # shorter runs stay: their two ends would be shown anyway
_PARALLEL = 4  # more edges between the same two nodes are drawn as one


def fold(graph: Graph) -> None:
    """Fold runs, then cut what lies deepest, until the graph can be read. Time grows linearly.

    A run is a stretch of nodes with one input and one use each; its first and last node stay. Nodes
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
        len(inputs[place]) == 1 and len(users[place]) == 1 and not node.important and node.role != OUTPUT
        for place, node in enumerate(graph.nodes)
    ]
    hidden: dict[int, int] = {}  # node -> number of its group
    groups = 0
    for place in range(len(graph.nodes)):
        if not single[place] or single[inputs[place][0]]:
            continue  # only a run's first node starts it; a bare cycle has none and stays
        run = [place]
        while single[users[run[-1]][0]]:
            run.append(users[run[-1]][0])
        if len(run) >= _RUN:
            hidden.update(dict.fromkeys(run[1:-1], groups))
            groups += 1
    _replace(graph, hidden, groups)


def _cut(graph: Graph, shown: int) -> None:
    """Keep an output, what is wrong, what is important and what is nearest the output; hide the rest."""
    inputs, _ = _neighbours(graph)
    places = range(len(graph.nodes))
    outputs = [place for place in places if graph.nodes[place].role == OUTPUT]
    wrong = [place for place in places if graph.nodes[place].wrong]
    important = [place for place in places if graph.nodes[place].important]
    kept = set((outputs[:1] + wrong + important)[:shown])
    ahead = deque(outputs or places[-1:])
    seen = set(ahead)
    while ahead and len(kept) < shown:
        place = ahead.popleft()
        kept.add(place)
        for neighbour in inputs[place]:
            if neighbour not in seen:
                seen.add(neighbour)
                ahead.append(neighbour)
    hidden = {place: 0 for place in places if place not in kept}
    for place in hidden:
        if graph.nodes[place].wrong:
            graph.notes.append(f"{CROSS} {clean(graph.nodes[place].name, 40)} (folded): {graph.nodes[place].wrong}")
    _replace(graph, hidden, 1)


def _replace(graph: Graph, hidden: dict[int, int], groups: int) -> None:
    """Put one folded node in the place of each group of hidden nodes."""
    members: list[list[Node]] = [[] for _ in range(groups)]
    for place, group in hidden.items():
        members[group].append(graph.nodes[place])
    first = len(graph.nodes)
    new = {place: first + group for place, group in hidden.items()}
    edges: list[Edge] = []
    seen: set[tuple[int, int]] = set()
    for edge in graph.edges:
        ends = (new.get(edge.source, edge.source), new.get(edge.target, edge.target))
        if max(ends) < first:
            edges.append(edge)
        elif ends[0] != ends[1] and ends not in seen:  # many edges into a group are drawn as one
            seen.add(ends)
            edges.append(Edge(*ends))
    graph.nodes = graph.nodes + [_folded(group) for group in members]
    graph.edges = edges
    graph.keep([place for place in range(len(graph.nodes)) if place not in hidden])
    graph.sort()


def _folded(members: list[Node]) -> Node:
    total = sum(node.count for node in members)
    kinds = Counter(node.kind for node in members if node.kind and node.role not in (LEAF, FOLDED))
    leaves = sum(node.role == LEAF for node in members)
    notes = [f"{amount:,} × {kind}" for kind, amount in kinds.most_common(3)]
    if leaves:
        notes.append(f"{leaves:,} × leaf")
    return Node(name=f"… {count(total, 'node')} …", role=FOLDED, count=total, notes=notes)


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
