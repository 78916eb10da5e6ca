"""Mistakes of count_nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.probes.counters import backward_nodes, nodes_run, passes_run
from autograder.references.replay import under

Run = Callable[[], Any]
MOST_VISITS = 5_000
"""A walk along paths has no end in a graph of many diamonds; there is no answer there."""


def _counted_on(choose: Callable[[torch.Tensor], Any]) -> Callable[[torch.Tensor, Run], int]:
    """Prehooks on the chosen nodes, removed in any case."""

    def count_nodes(output: torch.Tensor, run: Run) -> int:
        runs: list[None] = []
        handles = [node.register_prehook(lambda gradients: runs.append(None)) for node in choose(output)]
        try:
            run()
        finally:
            for handle in handles:
                handle.remove()
        return len(runs)

    return count_nodes


def _along_paths(output: torch.Tensor) -> Iterator[Any]:
    waiting, visits = [output.grad_fn] if output.grad_fn else [], 0
    while waiting:
        node = waiting.pop()
        visits += 1
        if visits > MOST_VISITS:
            raise ValueError("no answer")
        yield node
        waiting += [following for following, _ in node.next_functions if following is not None]


def _without_leaves(output: torch.Tensor) -> list:
    return [node for node in backward_nodes(output) if not hasattr(node, "variable")]


def _without_the_first(output: torch.Tensor) -> list:
    return [node for node in backward_nodes(output) if node is not output.grad_fn]


def _first_inputs(output: torch.Tensor) -> Iterator[Any]:
    node = output.grad_fn
    while node is not None:
        yield node
        node = next((following for following, _ in node.next_functions if following is not None), None)


def _size_of_graph(output: torch.Tensor, run: Run) -> int:
    run()
    return len(backward_nodes(output))


def _each_node_once(output: torch.Tensor, run: Run) -> int:
    met = set()
    handles = [node.register_prehook(lambda gradients, node=node: met.add(node)) for node in backward_nodes(output)]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return len(met)


def _passes(output: torch.Tensor, run: Run) -> int:
    with passes_run() as passes:
        run()
    return len(passes)


def _too_late(output: torch.Tensor, run: Run) -> int:
    run()
    return 0


def _run_twice(output: torch.Tensor, run: Run) -> int:
    run()
    try:
        with nodes_run(output) as runs:
            run()
    except RuntimeError as error:  # the first run has freed the graph: there is no answer
        raise ValueError("no answer") from error
    return runs.total()


def _hooks_stay(output: torch.Tensor, run: Run) -> int:
    for node in backward_nodes(output):
        node.register_prehook(lambda gradients: None)
    return _counted_on(backward_nodes)(output, run)


def _hooks_stay_after_an_error(output: torch.Tensor, run: Run) -> int:
    handles = [node.register_prehook(lambda gradients: None) for node in backward_nodes(output)]
    run()
    for handle in handles:
        handle.remove()
    return 0


def _mistake(name: str, sentence: str, implementation: Any, raises: str = "") -> Mistake:
    return Mistake(name, sentence, under("count_nodes", implementation), raises)


COUNT_NODES = (
    _mistake(
        "a hook for each path",
        "A node to which several paths lead was counted once for each of them. The walk must remember the nodes that "
        "it has met.",
        _counted_on(_along_paths),
    ),
    _mistake(
        "leaves left out",
        "Some executions are missing: a leaf that accumulates its gradient has a node too.",
        _counted_on(_without_leaves),
    ),
    _mistake(
        "each node once",
        "A node that runs in several passes was counted once. Each execution counts.",
        _each_node_once,
    ),
    _mistake(
        "size of the graph",
        "This is how many nodes the graph has. How many of them ran, and how often?",
        _size_of_graph,
    ),
    _mistake(
        "the first node left out",
        "The walk began behind the node that made the output. That one runs too.",
        _counted_on(_without_the_first),
    ),
    _mistake(
        "one way only",
        "The walk followed one input of each node. A node can have several, in `next_functions`.",
        _counted_on(_first_inputs),
    ),
    _mistake(
        "passes counted",
        "This is the number of backward passes. Each pass executes nodes; those are to be counted.",
        _passes,
    ),
    _mistake(
        "hooks after run",
        "Nothing was counted. A hook sees what runs after it was registered, and `run` was called before.",
        _too_late,
    ),
    _mistake(
        "run called twice",
        "`run` was called more than once. It may change things each time, so one call is all there is.",
        _run_twice,
    ),
    _mistake(
        "hooks stay on the nodes",
        "Hooks are still on the graph's nodes after the call. Keep the handles, and remove them all.",
        _hooks_stay,
    ),
    _mistake(
        "hooks stay after an error",
        "Where `run` raises, the hooks stay on the nodes. Which part of `try` runs in any case?",
        _hooks_stay_after_an_error,
    ),
    Mistake(
        "None for a node",
        "A leaf has no `grad_fn`, and an input that needs no gradient has no node. None stands in both places and "
        "must be skipped.",
        raises="AttributeError: 'NoneType' object has no attribute '(next_functions|register_\\w+|name|variable)'",
    ),
)
