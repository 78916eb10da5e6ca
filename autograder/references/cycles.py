"""Breaking of reference cycles through autograd's C++ nodes, where Python's garbage collector does not look.

Without it, a worker that judges thousands of submissions would keep the graphs of all of them.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import nn
from torch.utils.hooks import RemovableHandle


@contextlib.contextmanager
def hooks_removed() -> Iterator[None]:
    """Remove at the end every hook that this thread sets inside: a hook that holds its own tensor is such a cycle."""
    handles: list[RemovableHandle] = []
    made, thread = RemovableHandle.__init__, threading.get_ident()

    def noted(handle: RemovableHandle, *arguments: Any, **named: Any) -> None:
        made(handle, *arguments, **named)
        if threading.get_ident() == thread:  # in a notebook, a student's own threads may set hooks during a check
            handles.append(handle)

    RemovableHandle.__init__ = noted
    try:
        yield
    finally:
        RemovableHandle.__init__ = made
        for handle in handles:
            handle.remove()


def forget_histories(names: Mapping[str, Any]) -> None:
    """Detach each leaf's `.grad` from the graph that `create_graph=True` recorded.

    Args:
        names: a program's names with their values, of which tensors and modules are looked at.
    """
    for value in names.values():
        for leaf in value.parameters() if isinstance(value, nn.Module) else (value,):
            if isinstance(leaf, torch.Tensor) and leaf.is_leaf and leaf.grad is not None:
                leaf.grad = leaf.grad.detach()
