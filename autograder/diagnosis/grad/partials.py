"""Mistakes of all_partials."""

from __future__ import annotations

from typing import Any

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Nodes = list[torch.Tensor]


def _one_call_each(a: torch.Tensor, nodes: Nodes) -> tuple:
    return tuple(torch.autograd.grad(a, node, retain_graph=True)[0] for node in nodes)


def _by_backward(a: torch.Tensor, nodes: Nodes) -> tuple:
    for node in nodes:
        node.retain_grad()
    a.backward()
    return tuple(node.grad for node in nodes)


def _by_backward_without_retaining(a: torch.Tensor, nodes: Nodes) -> tuple:
    a.backward()
    return tuple(node.grad for node in nodes)


def _mistake(name: str, sentence: str, implementation: Any) -> Mistake:
    return Mistake(name, sentence, under("all_partials", implementation))


ALL_PARTIALS = (
    _mistake(
        "a pass for each node",
        "The numbers are right, and the graph was run through once for each node. One call takes them all.",
        _one_call_each,
    ),
    _mistake(
        "backward instead of grad",
        "The leaves' `.grad` was filled: that is what `backward()` does. Which function only returns gradients?",
        _by_backward,
    ),
    _mistake(
        "inner nodes after backward",
        "`backward()` keeps the gradients of leaves only, so inner nodes have None.",
        _by_backward_without_retaining,
    ),
    _mistake(
        "order turned round",
        "The gradients are right and stand in reverse order. They are asked for in the order of `nodes`.",
        lambda a, nodes: tuple(reversed(torch.autograd.grad(a, list(nodes)))),
    ),
    _mistake(
        "only the first node",
        "One gradient came back. `nodes` holds several tensors, and each has its own.",
        lambda a, nodes: torch.autograd.grad(a, nodes[0]),
    ),
    Mistake(
        "a loop variable named grad",
        "A name of yours hides the function of the same name; what is called is a tensor, a tuple or not yet "
        "there. See lesson 02, “A loop variable named grad”.",
        raises="'(tuple|Tensor)' object is not callable|UnboundLocalError: cannot access local variable 'grad'",
    ),
)
