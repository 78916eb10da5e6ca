"""Counters see what stands on tensors, models and backward nodes, and leave nothing behind."""

from __future__ import annotations

import torch
from torch import nn

from autograder.probes.counters import backward_nodes, hooks_on


def test_hooks_on_tensors_are_counted() -> None:
    x = torch.ones(2, requires_grad=True)
    handle = x.register_hook(print)
    x.register_post_accumulate_grad_hook(print)
    assert hooks_on(x) == 2
    handle.remove()
    assert hooks_on(x) == 1


def test_hooks_on_models_are_counted_at_any_depth() -> None:
    model = nn.Sequential(nn.Sequential(nn.Linear(2, 2)))
    model[0][0].register_forward_hook(print)
    model[0].register_full_backward_hook(print)
    model[0][0].weight.register_hook(print)
    assert hooks_on(model) == 3


def test_hooks_on_nodes_are_counted_without_leaving_one() -> None:
    x = torch.ones(2, requires_grad=True)
    nodes = backward_nodes((x * x).sum())
    assert hooks_on(*nodes) == 0
    handles = [nodes[0].register_prehook(print), nodes[-1].register_hook(print)]
    assert hooks_on(*nodes) == hooks_on(*nodes) == 2
    for handle in handles:
        handle.remove()
    assert hooks_on(*nodes) == 0
