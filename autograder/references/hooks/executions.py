"""Which backward nodes a pass executes: counted as it runs, and from the graph and the pass's arguments alone."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from unittest import mock

import torch

from autograder.probes.counters import nodes_run
from autograder.references.replay import Replay, program_reference

Node = torch.autograd.graph.Node


def node_of(tensor: torch.Tensor) -> Node:
    """The node that made a tensor; of a leaf, the one that accumulates its gradient."""
    return torch.autograd.graph.get_gradient_edge(tensor).node


def reached_from(output: torch.Tensor) -> dict[Node, list[Node]]:
    """Every node of a tensor's graph, with the nodes that hand their gradients to it."""
    start = node_of(output)
    givers: dict[Node, list[Node]] = {start: []}
    waiting = [start]
    while waiting:
        node = waiting.pop()
        for following, _ in node.next_functions:
            if following is not None:
                if following not in givers:
                    waiting.append(following)
                givers.setdefault(following, []).append(node)
    return givers


def executed(output: torch.Tensor, ends: Iterable[torch.Tensor] | None, accumulating: bool) -> set[Node]:
    """The nodes that a pass executes: those that lead to one of its ends.

    Args:
        output: where it starts.
        ends: where it ends; None for every leaf.
        accumulating: the gradients of the ends are added to `.grad`, not returned.
    """
    givers = reached_from(output)
    if ends is None:
        return set(givers)
    at_ends = {node_of(end) for end in ends} & set(givers)
    found = set(at_ends) if accumulating else set()
    waiting = list(at_ends)
    while waiting:
        new = set(givers[waiting.pop()]) - found
        found |= new
        waiting += new
    return found


@contextlib.contextmanager
def recorded_passes() -> Iterator[list[set[Node]]]:
    """Passes that start inside the block do not run; what each would execute is noted instead."""
    passes: list[set[Node]] = []

    def backward(output: torch.Tensor, *upstream: Any, inputs: Any = None, **options: Any) -> None:
        ends = [inputs] if isinstance(inputs, torch.Tensor) else inputs
        passes.append(executed(output, ends, accumulating=True))

    def grad(output: torch.Tensor, inputs: Any, *upstream: Any, **options: Any) -> None:
        ends = [inputs] if isinstance(inputs, torch.Tensor) else inputs
        passes.append(executed(output, ends, accumulating=False))

    with mock.patch.object(torch.Tensor, "backward", backward), mock.patch.object(torch.autograd, "grad", grad):
        yield passes


def _count_nodes(output: torch.Tensor, run: Callable[[], Any]) -> int:
    with nodes_run(output) as runs:
        run()
    return runs.total()


def _count_nodes_unrun(replay: Replay, output: torch.Tensor, run: Callable[[], Any]) -> int:
    with recorded_passes() as passes:
        run()
    own = set(reached_from(output)) if output.grad_fn is not None else set()
    return sum(len(nodes & own) for nodes in passes)


count_nodes = program_reference(
    "count_nodes",
    _count_nodes,
    "prehooks on every node",
    _count_nodes_unrun,
    "no pass runs: for each, the nodes that lead from its output to its ends",
)
