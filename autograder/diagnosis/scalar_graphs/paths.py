"""Mistakes of path_sum."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from autograder.diagnosis.hypothesis import Mistake
from autograder.references import scalar_graphs as right

Edges = list[tuple[str, str, float]]
MOST_PATHS = 10_000


def _paths(edges: Edges, start: str, end: str) -> list[list[float]]:
    """The local derivatives along each path, in the order in which a depth-first search meets them."""
    found: list[list[float]] = []
    steps = 0

    def walk(node: str, along: list[float]) -> None:
        nonlocal steps
        steps += 1
        if steps > MOST_PATHS:
            raise ArithmeticError("too many paths to predict from")
        if node == end:
            found.append(along)
        for source, target, local in edges:
            if source == node:
                walk(target, [*along, local])

    walk(start, [])
    return found


def _over_paths(combine: Callable[[list[list[float]]], float]) -> Callable[[Edges, str, str], float]:
    return lambda edges, start, end: combine(_paths(edges, start, end))


def _without_parallel(edges: Edges, start: str, end: str) -> float:
    return right.path_sum.oracle([(s, t, d) for (s, t), d in {(s, t): d for s, t, d in edges}.items()], start, end)


def _one_in_order(edges: Edges, start: str, end: str) -> float:
    """One sweep over the edges in the order in which they are listed."""
    reached = {start: 1.0}
    for source, target, local in edges:
        reached[target] = reached.get(target, 0.0) + reached.get(source, 0.0) * local
    return reached.get(end, 0.0)


def _visited_skipped(edges: Edges, start: str, end: str) -> float:
    """Depth first, a node that was met before counted as 0."""
    seen = set()

    def walk(node: str) -> float:
        if node == end:
            return 1.0
        if node in seen:
            return 0.0
        seen.add(node)
        return sum(local * walk(target) for source, target, local in edges if source == node)

    return walk(start)


def _both_ways(edges: Edges, start: str, end: str) -> float:
    forward = right.path_sum.oracle(edges, start, end)
    return forward if forward else right.path_sum.oracle(edges, end, start)


def _last_edge_wins(edges: Edges, start: str, end: str) -> float:
    """Of the edges into a node only the last that leads back to the start counts."""

    @functools.cache
    def back(node: str) -> float:
        if node == start:
            return 1.0
        along = (local * back(source) for source, target, local in reversed(edges) if target == node)
        return next((product for product in along if product), 0.0)

    return back(end)


PATH_SUM = (
    Mistake(
        "only one path",
        "This is the product along a single path. Every path from start to end adds its own.",
        _over_paths(lambda paths: math.prod(paths[0]) if paths else 0.0),
    ),
    Mistake(
        "only one path",
        "This is the product along a single path. Every path from start to end adds its own.",
        _over_paths(lambda paths: math.prod(paths[-1]) if paths else 0.0),
    ),
    Mistake(
        "only one path",
        "This is the product along a single path. Every path from start to end adds its own.",
        _last_edge_wins,
    ),
    Mistake(
        "sum where the product belongs",
        "Along each path the derivatives were added. Along a path they are multiplied; the paths are added.",
        _over_paths(lambda paths: sum(map(sum, paths))),
    ),
    Mistake(
        "product where the sum belongs",
        "The paths were multiplied with each other. Along a path derivatives are multiplied; the paths are added.",
        _over_paths(lambda paths: math.prod(map(math.prod, paths)) if paths else 0.0),
    ),
    Mistake(
        "only the longest or the largest path",
        "This is the product along one path only, the largest. Every path adds its own.",
        _over_paths(lambda paths: max(map(math.prod, paths), default=0.0)),
    ),
    Mistake(
        "paths counted",
        "This is the number of paths. Each path counts with the product of its local derivatives.",
        _over_paths(lambda paths: float(len(paths))),
    ),
    Mistake(
        "parallel edges lost",
        "Two edges between the same two nodes count as two paths, as in y = x * x. Does a dict keep only the last?",
        _without_parallel,
    ),
    Mistake(
        "edges taken in the order of the list",
        "The edges may stand in any order, and a node's sum is complete only when all edges into it have been used.",
        _one_in_order,
    ),
    Mistake(
        "visited nodes skipped",
        "A node that two paths share was counted for the first of them only. What should the second find there?",
        _visited_skipped,
    ),
    Mistake(
        "arrows ignored",
        "There is no path along the arrows here. Local derivatives lead from the first node of an edge to the second.",
        _both_ways,
    ),
    Mistake(
        "no path from a node to itself",
        "From a node to itself leads one path, the empty one, and an empty product is 1.",
        lambda edges, start, end: 0.0 if start == end else right.path_sum.oracle(edges, start, end),
    ),
)
