"""References of exercise 02: torch.autograd.grad."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from autograder.references.reachability import is_reached, nodes_between
from autograder.references.replay import Replay, program_reference
from autograder.references.second_calls import predict_second_call

__all__ = [
    "all_partials",
    "grad_or_zero",
    "gradient_of_vector",
    "named_gradients",
    "one_at_a_time",
    "predict_second_call",
]

Nodes = Sequence[torch.Tensor]
Tensors = tuple[torch.Tensor, ...]


def _one_at_a_time(a: torch.Tensor, nodes: Nodes) -> Tensors:
    return tuple(torch.autograd.grad(a, node, retain_graph=True)[0] for node in nodes)


def _one_at_a_time_numeric(replay: Replay, a: torch.Tensor, nodes: Nodes) -> Tensors:
    _count(replay, runs=sum(nodes_between(a, [node]) for node in nodes), passes=len(nodes))
    return tuple(replay.gradient(a, node) for node in nodes)


def _all_partials(a: torch.Tensor, nodes: Nodes) -> Tensors:
    return torch.autograd.grad(a, list(nodes))


def _all_partials_numeric(replay: Replay, a: torch.Tensor, nodes: Nodes) -> Tensors:
    _count(replay, runs=nodes_between(a, nodes), passes=1)
    return tuple(replay.gradient(a, node) for node in nodes)


def _count(replay: Replay, runs: int, passes: int) -> None:
    """What a program's counters would have shown, if it has any."""
    if "runs" in replay.names:
        replay.names["runs"].update({"nodes": runs})
    if "passes" in replay.names:
        replay.names["passes"].extend(["pass"] * passes)


def _grad_or_zero(output: torch.Tensor, inputs: Nodes) -> Tensors:
    return torch.autograd.grad(output, list(inputs), materialize_grads=True)


def _grad_or_zero_numeric(replay: Replay, output: torch.Tensor, inputs: Nodes) -> Tensors:
    return tuple(replay.gradient(output, one) for one in inputs)


def _named_gradients(output: torch.Tensor, named: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    found = torch.autograd.grad(output, dict(named), allow_unused=True)
    return {name: gradient for name, gradient in found.items() if gradient is not None}


def _named_gradients_numeric(
    replay: Replay, output: torch.Tensor, named: dict[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    _count(replay, runs=nodes_between(output, named.values()), passes=1)
    return {name: replay.gradient(output, one) for name, one in named.items() if is_reached(output, one)}


def _gradient_of_vector(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad(y, x, grad_outputs=upstream)[0]


def _gradient_of_vector_numeric(
    replay: Replay, y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor
) -> torch.Tensor:
    return replay.gradient(y, x, upstream)


DIFFERENCES = "central differences, tensor by tensor"
one_at_a_time = program_reference(
    "one_at_a_time",
    _one_at_a_time,
    "autograd in float64",
    _one_at_a_time_numeric,
    f"{DIFFERENCES}; counts by reachability",
)
all_partials = program_reference(
    "all_partials",
    _all_partials,
    "autograd in float64",
    _all_partials_numeric,
    f"{DIFFERENCES}; counts by reachability",
)
grad_or_zero = program_reference(
    "grad_or_zero",
    _grad_or_zero,
    "autograd in float64",
    _grad_or_zero_numeric,
    f"{DIFFERENCES}, which are 0 where nothing moves",
)
named_gradients = program_reference(
    "named_gradients",
    _named_gradients,
    "autograd in float64",
    _named_gradients_numeric,
    f"{DIFFERENCES}; what is left out, and counts, by reachability",
)
gradient_of_vector = program_reference(
    "gradient_of_vector",
    _gradient_of_vector,
    "autograd in float64",
    _gradient_of_vector_numeric,
    "central differences of the weighted sum",
)
