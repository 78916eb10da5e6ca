"""Watching a torch backward pass: what arrives at each node, before and after its hooks, and what the node passes on.

Everything that the pass writes (`.grad` of leaves and of tensors that retain it) is put back afterwards.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

GraphNode = Any
"""`torch.autograd.graph.Node`, which says little of types."""
Gradients = tuple[torch.Tensor | None, ...]
MOST = 2_000
"""Nodes of the largest graph that is stepped through."""


@dataclass
class Visit:
    """A node's turn in the pass.

    Attributes:
        node: the node's index.
        arrived: the sum of what its users passed on, for each of its results.
        taken: what it was given after the hooks on its results.
        passed: what it passed on, after hooks on the node itself; None until it has.
    """

    node: int
    arrived: Gradients
    taken: Gradients
    passed: Gradients | None = None


@dataclass
class TorchPass:
    """A graph and one pass through it.

    Attributes:
        nodes: the output's first.
        nexts: by node, for each input (index of the node that made it or None, number of that node's result).
        visits: in order.
        ended: the exception that ended the pass; None if it came to its end.
    """

    nodes: list[GraphNode]
    nexts: list[list[tuple[int | None, int]]]
    visits: list[Visit] = field(default_factory=list)
    ended: Exception | None = None


def read(output: torch.Tensor) -> TorchPass:
    """Read the graph of a tensor, without running anything.

    Raises:
        TypeError: the tensor has no graph, or a huge one.
    """
    if output.grad_fn is None:
        raise TypeError("step_through() takes a tensor that was computed from others that require a gradient")
    nodes = [output.grad_fn]
    index_of = {id(output.grad_fn): 0}
    nexts = []
    for node in nodes:  # the list grows in the loop
        if len(nodes) > MOST:
            raise TypeError(f"this graph has more than {MOST:,} nodes: step through a smaller one of the same kind")
        inputs: list[tuple[int | None, int]] = []
        for source, which in node.next_functions:
            if source is not None and id(source) not in index_of:
                index_of[id(source)] = len(nodes)
                nodes.append(source)
            inputs.append((None if source is None else index_of[id(source)], which))
        nexts.append(inputs)
    return TorchPass(nodes, nexts)


def run(graph: TorchPass, output: torch.Tensor, gradient: torch.Tensor, tensors: Sequence[torch.Tensor]) -> None:
    """Run the pass once, watched, and fill in the visits.

    Args:
        graph: the output's graph.
        output: where the pass starts.
        gradient: what it starts with.
        tensors: those of the graph; their gradients are put back.
    """
    sums: dict[tuple[int, int], torch.Tensor] = {(0, output.output_nr): gradient.detach()}
    turn: dict[int, Visit] = {}

    def before(at: int, gradients: Gradients) -> None:
        arrived = tuple(sums.get((at, which)) for which in range(len(gradients)))
        turn[at] = Visit(at, arrived, _copies(gradients))
        graph.visits.append(turn[at])

    def after(at: int, passed: Gradients) -> None:
        turn[at].passed = _copies(passed)
        for (source, which), one in zip(graph.nexts[at], turn[at].passed or (), strict=False):
            if source is not None and one is not None:
                key = source, which
                sums[key] = one if key not in sums else sums[key] + one

    with contextlib.ExitStack() as undo:
        undo.enter_context(_gradients_kept(tensors))
        for at, node in enumerate(graph.nodes):
            undo.callback(node.register_prehook(lambda found, at=at: before(at, found)).remove)
            undo.callback(node.register_hook(lambda passed, _, at=at: after(at, passed)).remove)
        try:
            torch.autograd.backward(output, gradient, retain_graph=True)
        except Exception as error:  # from a hook or a Function of the student's, or a graph that was freed
            graph.ended = error


def _copies(gradients: Gradients) -> Gradients:
    return tuple(None if one is None else one.detach().clone() for one in gradients)


def leaf(node: GraphNode) -> torch.Tensor | None:
    """Return the leaf that a node accumulates into; None of any other node."""
    variable = getattr(node, "variable", None) if type(node).__name__ == "AccumulateGrad" else None
    return variable if isinstance(variable, torch.Tensor) else None


def living(nodes: Sequence[GraphNode], known: Iterable[torch.Tensor]) -> list[torch.Tensor]:
    """Return the leaves, and the tensors alive in this process that these nodes made; each once.

    Args:
        nodes: the nodes.
        known: tensors that may be among them.
    """
    own = {id(node) for node in nodes}
    found = {id(one): one for one in map(leaf, nodes) if one is not None}
    for thing in (*known, *gc.get_objects()):
        if issubclass(type(thing), torch.Tensor) and thing.grad_fn is not None and id(thing.grad_fn) in own:
            found[id(thing)] = thing
    return list(found.values())


@contextlib.contextmanager
def _gradients_kept(tensors: Sequence[torch.Tensor]) -> Iterator[None]:
    """Put every gradient back after the block, and leave out hooks after accumulation, which may move parameters."""
    held: list[tuple[torch.Tensor, torch.Tensor | None]] = []
    hooks: list[tuple[Any, dict[Any, Any]]] = []
    for tensor in tensors:
        if tensor.is_leaf or tensor.retains_grad:
            held.append((tensor, tensor.grad))
            tensor.grad = None
        after = getattr(tensor, "_post_accumulate_grad_hooks", None)
        if after:
            hooks.append((after, dict(after)))
            after.clear()
    try:
        yield
    finally:
        for tensor, gradient in held:
            tensor.grad = gradient
        for own, content in hooks:
            own.update(content)
