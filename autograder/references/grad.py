"""References of exercise 02: torch.autograd.grad."""

from __future__ import annotations

import torch

from autograder.references.reachability import nodes_between
from autograder.references.replay import Replay, program_reference


def _all_partials(a: torch.Tensor, nodes: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    return torch.autograd.grad(a, list(nodes))


def _all_partials_numeric(replay: Replay, a: torch.Tensor, nodes: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    replay.names["runs"].update({"nodes": nodes_between(a, nodes)})
    return tuple(replay.gradient(a, node) for node in nodes)


all_partials = program_reference(
    "all_partials",
    _all_partials,
    "autograd in float64",
    _all_partials_numeric,
    "central differences, node by node; counts by reachability",
)
