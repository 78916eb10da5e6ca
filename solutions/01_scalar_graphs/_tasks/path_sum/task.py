"""path_sum: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import numpy

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import LETTERS, number
from autograder.checks.task import Task
from autograder.references import PublicCase, Reference

Edges = list[tuple[str, str, float]]


def _path_sum_in_order(edges: Edges, start: str, end: str) -> float:
    """Each node's sum is made once, from those of the nodes that it leads to."""
    leaving = defaultdict(list)
    waiting: dict[str, int] = defaultdict(int)
    for source, target, local in edges:
        leaving[source].append((target, local))
        waiting[target] += 1
    reached = defaultdict(float, {start: 1.0})
    ready = [node for node in {e[0] for e in edges} | {start} if not waiting[node]]
    while ready:
        node = ready.pop()
        for target, local in leaving[node]:
            reached[target] += reached[node] * local
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return reached[end]


def _path_sum_by_matrix(edges: Edges, start: str, end: str) -> float:
    """The powers of the adjacency matrix, summed: (I - A)^-1 holds every path of every length."""
    names = sorted({name for source, target, _ in edges for name in (source, target)} | {start, end})
    index = {name: i for i, name in enumerate(names)}
    matrix = numpy.eye(len(names))
    for source, target, local in edges:
        matrix[index[source], index[target]] -= local
    return float(numpy.linalg.solve(matrix, numpy.eye(len(names))[:, index[end]])[index[start]])


REFERENCE = Reference(
    _path_sum_in_order, "one sweep in topological order", _path_sum_by_matrix, "the matrix (I - A)^-1"
)

TASK = Task(__file__, minutes=12, concepts=("graphs", "accumulation"), section="Sums over paths", reference=REFERENCE)


def layered_graph(source: Random) -> tuple[list[tuple[str, str, float]], str, str]:
    """Edges of a graph with several paths from "x" to "y", in no order, and one that leads elsewhere."""
    names = ["x", *LETTERS[: source.randint(3, 5)], "y"]
    edges = [(names[i], names[i + 1], number(source)) for i in range(len(names) - 1)]
    for i in range(len(names) - 2):
        target = source.randrange(i + 2, len(names))
        edges.append((names[i], names[target], number(source)))
    edges += [("z", "y", number(source)), ("x", "z2", number(source))]
    source.shuffle(edges)
    return edges, "x", "y"


def _diamonds(count: int, elsewhere: bool = False) -> PublicCase:
    """Diamonds in a row, each with two ways through: a sum of 2**count products.

    Args:
        count: how many.
        elsewhere: whether they do not lead to the end, which an edge of its own reaches: then all their sums are 0.
    """
    edges = []
    for i in range(count):
        edges += [(f"n{i}", f"p{i}", 0.5), (f"n{i}", f"q{i}", -0.25)]
        edges += [(f"p{i}", f"n{i + 1}", 3.0), (f"q{i}", f"n{i + 1}", 2.0)]
    if elsewhere:
        return PublicCase(([*edges, ("n0", "end", 4.0)], "n0", "end"), 4.0)
    return PublicCase((edges, "n0", f"n{count}"), 1.0)  # each contributes 0.5 * 3 - 0.25 * 2 = 1


@TASK.check("sums over paths", points=3, cases="sums", draw=with_ends(layered_graph))
def test_path_sum(answers: Answers) -> None:
    """Small graphs, edges in any order."""
    answers.agree()


@TASK.check("forty diamonds in a row", points=1, cases=[_diamonds(40), _diamonds(40, elsewhere=True)])
def test_path_sum_shares_work(answers: Answers) -> None:
    """2**40 paths."""
    answers.agree()
