"""Reachability in the autograd graph: which nodes a backward pass executes, and which tensors it reaches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch


def nodes_between(output: torch.Tensor, inputs: Iterable[torch.Tensor]) -> int:
    """Count the nodes that a backward pass from `output` to `inputs` executes: those that lead to an input.

    The node of an input itself is executed only if it leads to another input.
    """
    ends = {torch.autograd.graph.get_gradient_edge(one).node for one in inputs}
    leads: dict[Any, bool] = {}

    def reaches(node: Any) -> bool:
        if node not in leads:
            following = [one for one, _ in node.next_functions if one is not None]
            leads[node] = any([reaches(one) or one in ends for one in following])
        return leads[node]

    reaches(output.grad_fn)
    return sum(leads.values())


def is_reached(output: torch.Tensor, tensor: torch.Tensor) -> bool:
    """Return whether the output was computed from the tensor or is the tensor."""
    end, start = _edge(tensor), _edge(output)
    seen, waiting = {start}, [start]
    while waiting:
        node, _ = waiting.pop()
        following = {edge for edge in node.next_functions if edge[0] is not None} - seen
        seen |= following
        waiting += following
    return end in seen


def _edge(tensor: torch.Tensor) -> tuple[Any, int]:
    """Return the node that made a tensor and which of its results the tensor is; of a leaf, its AccumulateGrad node."""
    edge = torch.autograd.graph.get_gradient_edge(tensor)
    return edge.node, edge.output_nr
