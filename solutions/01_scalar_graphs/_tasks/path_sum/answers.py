"""path_sum: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from .task import REFERENCE

Edges = list[tuple[str, str, float]]
MOST_PATHS = 10_000


def _paths(edges: Edges, start: str, end: str) -> list[list[float]]:
    """The local derivatives along each path, in the order in which a depth-first search meets them."""
    found: list[list[float]] = []
    steps = 0
    after: dict[str, list[tuple[str, float]]] = {}
    for source, target, local in edges:
        after.setdefault(source, []).append((target, local))

    def walk(node: str, along: list[float]) -> None:
        nonlocal steps
        steps += 1
        if steps > MOST_PATHS:
            raise ArithmeticError("too many paths to predict from")
        if node == end:
            found.append(along)
        for target, local in after.get(node, ()):
            walk(target, [*along, local])

    walk(start, [])
    return found


def _over_paths(combine: Callable[[list[list[float]]], float]) -> Callable[[Edges, str, str], float]:
    return lambda edges, start, end: combine(_paths(edges, start, end))


def _both_ways(edges: Edges, start: str, end: str) -> float:
    forward = REFERENCE.oracle(edges, start, end)
    return forward if forward else REFERENCE.oracle(edges, end, start)


def _last_edge_wins(edges: Edges, start: str, end: str) -> float:
    """Of the edges into a node only the last that leads back to the start counts."""

    @functools.cache
    def back(node: str) -> float:
        if node == start:
            return 1.0
        along = (local * back(source) for source, target, local in reversed(edges) if target == node)
        return next((product for product in along if product), 0.0)

    return back(end)


known(
    Mistake(
        "only one path",
        "This is the product along a single path. Every path from start to end adds its own.",
        _over_paths(lambda paths: math.prod(paths[0]) if paths else 0.0),
        _over_paths(lambda paths: math.prod(paths[-1]) if paths else 0.0),
        _last_edge_wins,
    ),
    Mistake(
        "sum where the product belongs",
        "You added the derivatives along each path. Along a path they are multiplied; over paths the products are "
        "added.",
        _over_paths(lambda paths: sum(map(sum, paths))),
    ),
    Mistake(
        "product where the sum belongs",
        "You multiplied the products of the paths. Along a path the derivatives are multiplied; over paths the "
        "products are added.",
        _over_paths(lambda paths: math.prod(map(math.prod, paths)) if paths else 0.0),
    ),
    Mistake(
        "only the largest path",
        "This is the largest product along a single path. Every path adds its own.",
        _over_paths(lambda paths: max(map(math.prod, paths), default=0.0)),
    ),
    Mistake(
        "paths counted",
        "This is the number of paths. Each path contributes the product of its local derivatives.",
        _over_paths(lambda paths: float(len(paths))),
    ),
)


@wrong("only one path", endless=True)
def first_path_found():
    def path_sum(edges, start, end):
        def search(node):
            if node == end:
                return 1.0
            for source, target, local in edges:
                if source == node:
                    rest = search(target)
                    if rest is not None:
                        return local * rest
            return None

        return search(start) or 0.0


@wrong("only one path", endless=True)
def last_edge_wins():
    def path_sum(edges, start, end):
        came_from = {}
        for source, target, local in edges:
            came_from.setdefault(target, []).append((source, local))

        def back(node):
            if node == start:
                return 1.0
            result = 0.0
            for source, local in came_from.get(node, []):
                rest = back(source)
                if rest != 0.0:
                    result = local * rest
            return result

        return back(end)


@wrong("sum where the product belongs")
def added_along_the_path():
    def path_sum(edges, start, end):
        known = {}

        def paths(node):  # number of paths, and the sum over all of them
            if node == end:
                return 1, 0.0
            if node not in known:
                count, total = 0, 0.0
                for source, target, local in edges:
                    if source == node:
                        c, t = paths(target)
                        count += c
                        total += t + c * local
                known[node] = count, total
            return known[node]

        return paths(start)[1]


@wrong("product where the sum belongs", endless=True)
def paths_multiplied():
    def path_sum(edges, start, end):
        products = []

        def walk(node, product):
            if node == end:
                products.append(product)
            for source, target, local in edges:
                if source == node:
                    walk(target, product * local)

        walk(start, 1.0)
        result = 1.0 if products else 0.0
        for p in products:
            result *= p
        return result


@wrong("only the largest path", endless=True)
def largest_path():
    def path_sum(edges, start, end):
        best = []

        def walk(node, product):
            if node == end:
                best.append(product)
            for source, target, local in edges:
                if source == node:
                    walk(target, product * local)

        walk(start, 1.0)
        return max(best, default=0.0)


@wrong("paths counted")
def number_of_paths():
    def path_sum(edges, start, end):
        known = {end: 1.0}

        def count(node):
            if node not in known:
                known[node] = sum(count(target) for source, target, local in edges if source == node)
            return known[node]

        return count(start)


@mistake(
    "parallel edges lost",
    "Two edges between the same two nodes count as two paths, as in y = x * x. Does one of your dicts keep only "
    "the last?",
)
def dict_of_edges():
    def path_sum(edges, start, end):
        graph = {}
        for source, target, local in edges:
            graph.setdefault(source, {})[target] = local
        known = {end: 1.0}

        def down(node):
            if node not in known:
                known[node] = sum(local * down(target) for target, local in graph.get(node, {}).items())
            return known[node]

        return down(start)


@mistake(
    "edges taken in the order of the list",
    "The edges may be in any order, and a node's sum is complete only when all edges into it have been used.",
)
def one_sweep():
    def path_sum(edges, start, end):
        total = {start: 1.0}
        for source, target, local in edges:
            total[target] = total.get(target, 0.0) + total.get(source, 0.0) * local
        return total.get(end, 0.0)


@mistake(
    "visited nodes skipped",
    "A node that two paths share was counted for the first of them only. What should the second find there?",
)
def visited_set():
    def path_sum(edges, start, end):
        visited = set()

        def walk(node):
            if node == end:
                return 1.0
            if node in visited:
                return 0.0
            visited.add(node)
            return sum(local * walk(target) for source, target, local in edges if source == node)

        return walk(start)


known(
    Mistake(
        "edges followed backwards",
        "No path leads from start to end here, and your answer belongs to the paths from end to start. An edge "
        "leads from its first node to its second.",
        _both_ways,
    )
)


@wrong("too slow", endless=True)
def both_directions():
    def path_sum(edges, start, end):
        def walk(node, visited):
            if node == end:
                return 1.0
            total = 0.0
            for source, target, local in edges:
                if source == node and target not in visited:
                    total += local * walk(target, visited | {target})
                if target == node and source not in visited:
                    total += local * walk(source, visited | {source})
            return total

        return walk(start, {start})


@mistake(
    "no path from a node to itself", "The empty path leads from a node to itself, and the product of no factors is 1."
)
def empty_path_forgotten():
    def path_sum(edges, start, end):
        known = {}

        def down(node):
            if node not in known:
                known[node] = 0.0
                for source, target, local in edges:
                    if source == node:
                        known[node] += local * (1.0 if target == end else down(target))
            return known[node]

        return down(start)


@wrong("not attempted")
def path_sum_not_attempted():
    def path_sum(edges, start, end):
        raise NotImplementedError()


@wrong("items changed", endless=True)
def edges_used_up():
    def path_sum(edges, start, end):
        if start == end:
            return 1.0
        into_end = [edge for edge in edges if edge[1] == end]
        for edge in into_end:
            edges.remove(edge)
        return sum(local * path_sum(list(edges), start, source) for source, target, local in into_end)


@wrong("too slow", endless=True)
def every_path_on_its_own():
    def path_sum(edges, start, end):
        if start == end:
            return 1.0
        total = 0.0
        for source, target, local in edges:
            if source == start:
                total += local * path_sum(edges, target, end)
        return total


@wrong("too slow", endless=True)
def paths_walked_with_a_stack():
    def path_sum(edges, start, end):
        total = 0.0
        stack = [(start, 1.0)]
        while stack:
            node, product = stack.pop()
            if node == end:
                total += product
            else:
                stack += [(target, product * local) for source, target, local in edges if source == node]
        return total


@right
def remembered_in_a_dict():
    def path_sum(edges, start, end):
        known = {end: 1.0}

        def down(node):
            if node not in known:
                total = 0.0
                for source, target, local in edges:
                    if source == node:
                        total += local * down(target)
                known[node] = total
            return known[node]

        return down(start)


@right
def edges_into_a_node():
    from functools import lru_cache

    def path_sum(edges, start, end):
        @lru_cache(None)
        def up(node):
            if node == start:
                return 1
            return sum(up(source) * local for source, target, local in edges if target == node)

        return up(end)


@right
def sorted_by_the_standard_library():
    from collections import Counter
    from graphlib import TopologicalSorter

    def path_sum(edges, start, end):
        sorter = TopologicalSorter({start: set(), end: set()})
        for source, target, local in edges:
            sorter.add(target, source)
        total = Counter({start: 1.0})
        for node in sorter.static_order():
            for source, target, local in edges:
                if source == node:
                    total[target] += total[source] * local
        return float(total[end])


@right
def one_length_after_another():
    # After k rounds `ends` holds the sums over all paths of k edges, by their last node.
    def path_sum(edges, start, end):
        ends, total = {start: 1.0}, 0.0
        while ends:
            total += ends.get(end, 0.0)
            longer = {}
            for source, target, local in edges:
                if source in ends:
                    longer[target] = longer.get(target, 0.0) + ends[source] * local
            ends = longer
        return total


@right
def matrix_powers_by_torch():
    import torch

    # The inverse of I - A is the same sum, but loses the 1 of I beside large local derivatives.
    def path_sum(edges, start, end):
        names = list(dict.fromkeys([start, end] + [name for edge in edges for name in edge[:2]]))
        A = torch.zeros(len(names), len(names), dtype=torch.float64)
        for source, target, local in edges:
            A[names.index(source), names.index(target)] += local
        power = total = torch.eye(len(names), dtype=torch.float64)
        while power.any():
            power = power @ A
            total = total + power
        return total[names.index(start), names.index(end)]
