"""Reference of layer_gradients."""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch
from torch import nn

from autograder.references import numeric
from autograder.references.hooks.executions import node_of, reached_from
from autograder.references.replay import Replay, program_reference

Pairs = dict[str, tuple[torch.Tensor | None, torch.Tensor | None]]
Loss = Callable[[torch.Tensor], torch.Tensor]


class _Moved(nn.Module):
    """Stands in for a child of a model, and gets or returns something else where that is given."""

    def __init__(
        self,
        name: str,
        child: nn.Module,
        given: torch.Tensor | None = None,
        returned: torch.Tensor | None = None,
    ) -> None:
        super().__init__()
        self.name, self.child = name, child
        self.given, self.returned = given, returned

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """What the child makes of x, or of what it is given instead."""
        self.given = x if self.given is None else self.given
        output = self.child(self.given)
        self.returned = output if self.returned is None else self.returned
        return self.returned


def _layer_gradients(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Pairs:
    seen: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}

    def note(name: str) -> Callable[[nn.Module, tuple, torch.Tensor], None]:
        def hook(module: nn.Module, args: tuple, output: torch.Tensor) -> None:
            seen[name] = args[0], output

        return hook

    handles = [child.register_forward_hook(note(name)) for name, child in model.named_children()]
    try:
        loss = loss_fn(model(x))
    finally:
        for handle in handles:
            handle.remove()
    wanted = [tensor for pair in seen.values() for tensor in pair if tensor.requires_grad]
    found = dict(zip(wanted, torch.autograd.grad(loss, wanted, allow_unused=True), strict=True))
    return {name: (found.get(given), found.get(output)) for name, (given, output) in seen.items()}


def _layer_differences(replay: Replay, model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Pairs:
    """Move what each child is given, or returns, in runs of a copy; the model itself runs once."""
    random, spare = torch.get_rng_state(), copy.deepcopy(model)
    state = copy.deepcopy(model.state_dict())
    loss_fn(model(x))

    def run(child: _Moved) -> torch.Tensor:
        torch.set_rng_state(random)
        spare.load_state_dict(state)
        real = getattr(spare, child.name)
        setattr(spare, child.name, child)
        try:
            return loss_fn(spare(x))
        finally:
            setattr(spare, child.name, real)

    def gradient(name: str, module: nn.Module, side: str, tensor: torch.Tensor, used: dict) -> torch.Tensor | None:
        if not tensor.requires_grad or node_of(tensor) not in used:
            return None
        return numeric.gradient(lambda moved: run(_Moved(name, module, **{side: moved})), tensor)

    pairs = {}
    for name, module in spare.named_children():
        child = _Moved(name, module)
        used = reached_from(run(child))
        sides = {"given": child.given, "returned": child.returned}
        pairs[name] = tuple(gradient(name, module, side, tensor, used) for side, tensor in sides.items())
    return pairs


layer_gradients = program_reference(
    "layer_gradients",
    _layer_gradients,
    "forward hooks and autograd",
    _layer_differences,
    "central differences of what each child is given and returns, in copies of the model",
)
