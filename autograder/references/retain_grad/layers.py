"""retained_by_layer: hooks that retain, and layers whose outputs are moved a little."""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch
from torch import nn

from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

Loss = Callable[[torch.Tensor], torch.Tensor]


def leaf_of(x: torch.Tensor) -> torch.Tensor:
    """A leaf with the same numbers that requires a gradient, as far as its dtype can."""
    return x.detach().clone().requires_grad_(x.is_floating_point())


def _retained_by_layer(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, torch.Tensor]:
    outputs: dict[str, torch.Tensor] = {}

    def keeping(name: str) -> Callable[..., None]:
        def keep(module: nn.Module, arguments: tuple, output: torch.Tensor) -> None:
            output.retain_grad()
            outputs[name] = output

        return keep

    handles = [child.register_forward_hook(keeping(name)) for name, child in model.named_children()]
    try:
        loss = loss_fn(model(leaf_of(x)))
    finally:
        for handle in handles:
            handle.remove()
    loss.backward()
    return {name: output.grad for name, output in outputs.items()}


def _by_moving_outputs(replay: Replay, model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, torch.Tensor]:
    model = copy.deepcopy(model).double()  # float32 would leave noise; the caller's stays as it is
    wide = x.double() if x.is_floating_point() else x
    return {name: _gradient_of(child, model, wide, loss_fn).to(_dtype(x)) for name, child in model.named_children()}


def _gradient_of(child: nn.Module, model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> torch.Tensor:
    """The gradient of the loss with respect to what `child` hands on, by replacing that."""
    outputs: list[torch.Tensor] = []

    def loss(instead: torch.Tensor | None) -> torch.Tensor:
        def replace(module: nn.Module, arguments: tuple, output: torch.Tensor) -> torch.Tensor:
            outputs.append(output)
            return output if instead is None else instead

        with torch.no_grad(), child.register_forward_hook(replace):
            return loss_fn(model(x))

    loss(None)
    return numeric.gradient(loss, outputs[0])


def _dtype(x: torch.Tensor) -> torch.dtype:
    return x.dtype if x.is_floating_point() else torch.float64


retained_by_layer = program_reference(
    "retained_by_layer",
    _retained_by_layer,
    "autograd in float64",
    _by_moving_outputs,
    "central differences in each layer's output",
)
