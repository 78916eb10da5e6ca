"""Draws of exercise 02: programs on graphs of tensors."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.tensor_graphs import tensor_graph
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]


def all_partials(*shown: str) -> Draw:
    """`all_partials` of some nodes of a graph, its backward nodes counted."""

    def draw(source: Random) -> tuple[Program]:
        graph = tensor_graph(source)
        call = f"result = all_partials(a, ({', '.join(graph.some(source))}))"
        return (Program(f"{graph.text}with counters.nodes_run(a) as runs:\n    {call}\n", shown),)

    return draw
