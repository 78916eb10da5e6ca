"""A model that is run once while everything that goes into and out of its direct children is noted."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

Found = dict[str, torch.Tensor | None]


class Watched:
    """A model run once, with what went into each direct child and what came out."""

    def __init__(self, model: nn.Module, x: torch.Tensor) -> None:
        self.inputs: dict[str, torch.Tensor] = {}
        self.outputs: dict[str, torch.Tensor] = {}
        self.handles = [child.register_forward_hook(self._note(name)) for name, child in model.named_children()]
        self.result = model(x)

    def _note(self, name: str) -> Callable[..., None]:
        def hook(module: nn.Module, arguments: tuple, output: torch.Tensor) -> None:
            self.inputs[name], self.outputs[name] = arguments[0], output

        return hook

    def remove(self) -> Watched:
        for handle in self.handles:
            handle.remove()
        return self


def gradients(loss: torch.Tensor, tensors: Found) -> Found:
    names = [name for name, tensor in tensors.items() if tensor.requires_grad]
    found = torch.autograd.grad(loss, [tensors[name] for name in names], allow_unused=True)
    return dict.fromkeys(tensors) | dict(zip(names, found, strict=True))
