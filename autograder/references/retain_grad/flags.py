"""keeps_grad: from the flags, and by a pass through each tensor."""

from __future__ import annotations

import torch

from autograder.probes.counters import backward_nodes
from autograder.references.replay import Replay, program_reference


def _by_flags(tensors: dict[str, torch.Tensor]) -> dict[str, bool]:
    return {name: one.requires_grad and (one.is_leaf or one.retains_grad) for name, one in tensors.items()}


def _by_passes(replay: Replay, tensors: dict[str, torch.Tensor]) -> dict[str, bool]:
    return {name: _is_filled(one, list(tensors.values())) for name, one in tensors.items()}


def _is_filled(tensor: torch.Tensor, others: list[torch.Tensor]) -> bool:
    """Whether a pass through it fills `.grad`; what the pass leaves anywhere is taken back."""
    if not tensor.requires_grad:
        return False
    result = (2 * tensor).sum()
    leaves = [node.variable for node in backward_nodes(result) if hasattr(node, "variable")]
    before = [(one, one.grad) for one in (tensor, *others, *leaves)]
    tensor.grad = None
    result.backward(retain_graph=True)
    filled = tensor.grad is not None
    for one, gradient in before:
        one.grad = gradient
    return filled


keeps_grad = program_reference(
    "keeps_grad",
    _by_flags,
    "the flags that torch keeps",
    _by_passes,
    "a backward pass through each tensor, and a look at its .grad",
)
