"""A stand-in for PyTorch's engine that differentiates by differences and hands gradients to listeners.

The second sources of tasks whose functions act during a later pass are written against it: while it is
active, `backward` and `torch.autograd.grad` come here, and no hook and no node of PyTorch's runs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any
from unittest import mock

import torch

from autograder.references.hooks.executions import executed, node_of

Gradient = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
"""From an output, a tensor and an upstream gradient to the gradient of sum(upstream * output)."""


@dataclasses.dataclass(eq=False)
class Listener:
    """Somebody who is told a tensor's gradient in each pass that computes it.

    Attributes:
        tensor: whose gradient.
        told: gets the gradient; what it returns, where it is not None, replaces the gradient for all behind.
        consumes: nothing is added to the tensor's `.grad`.
    """

    tensor: torch.Tensor
    told: Callable[[torch.Tensor], torch.Tensor | None]
    consumes: bool = False
    removed: bool = False

    def remove(self) -> None:
        """End it, as a handle does."""
        self.removed = True


class DifferencedPasses:
    """Active inside a `with` block.

    Args:
        gradient: by differences.
        leaves: the leaves whose `.grad` a backward pass may fill.
    """

    def __init__(self, gradient: Gradient, leaves: Callable[[], Iterable[torch.Tensor]]) -> None:
        self.gradient, self.leaves = gradient, leaves
        self.listeners: list[Listener] = []
        self._busy = False

    def listen(self, tensor: torch.Tensor, told: Callable, consumes: bool = False) -> Listener:
        """Tell `told` the gradients of a tensor from now on. One that replaces lies behind no other that does."""
        self.listeners.append(Listener(tensor, told, consumes))
        return self.listeners[-1]

    def backward(self, output: torch.Tensor, upstream: torch.Tensor | None = None, **options: Any) -> None:
        """What `Tensor.backward` does: `.grad` of every leaf behind the output is filled."""
        if self._busy:
            return
        run = executed(output, None, accumulating=True)
        leaves = [leaf for leaf in self.leaves() if node_of(leaf) in run]
        found = self._pass(output, upstream, run, leaves)
        consumed = {listener.tensor for listener in self.listeners if listener.consumes and not listener.removed}
        for leaf, gradient in zip(leaves, found, strict=True):
            if leaf not in consumed:
                leaf.grad = gradient if leaf.grad is None else leaf.grad + gradient
            for hook in (leaf._post_accumulate_grad_hooks or {}).values():  # the program's own
                hook(leaf)

    def grad(self, output: torch.Tensor, inputs: Any, upstream: Any = None, **options: Any) -> tuple:
        """What `torch.autograd.grad` does: gradients are returned and `.grad` is left alone."""
        inputs = [inputs] if isinstance(inputs, torch.Tensor) else list(inputs)
        if self._busy:
            return tuple(torch.zeros_like(one) for one in inputs)
        return tuple(self._pass(output, upstream, executed(output, inputs, accumulating=False), inputs))

    def _pass(self, output: torch.Tensor, upstream: Any, run: set, wanted: list[torch.Tensor]) -> list[torch.Tensor]:
        upstream = torch.ones_like(output) if upstream is None else upstream
        self._busy = True  # lines that the differences run again start no passes
        try:
            listening = [
                (listener, self.gradient(output, listener.tensor, upstream))
                for listener in self.listeners
                if not listener.removed
                and (node_of(listener.tensor) in run or any(listener.tensor is one for one in wanted))
            ]
            found = [self.gradient(output, one, upstream) for one in wanted]
            for listener, arrived in listening:
                replaced = listener.told(arrived)
                if replaced is not None:
                    extra = replaced - arrived
                    found = [
                        gradient + self._behind(listener.tensor, one, extra)
                        for one, gradient in zip(wanted, found, strict=True)
                    ]
        finally:
            self._busy = False
        return found

    def _behind(self, tensor: torch.Tensor, one: torch.Tensor, extra: torch.Tensor) -> torch.Tensor:
        """What a change of a tensor's gradient changes in that of another."""
        return extra if one is tensor else self.gradient(tensor, one, extra)

    def __enter__(self) -> DifferencedPasses:
        self._patches = [
            mock.patch.object(torch.Tensor, "backward", lambda *args, **named: self.backward(*args, **named)),
            mock.patch.object(torch.autograd, "grad", self.grad),
        ]
        for patch in self._patches:
            patch.start()
        return self

    def __exit__(self, *exception: Any) -> None:
        for patch in self._patches:
            patch.stop()
