"""Reference of step_in_backward. Every program of the task names its loss `loss`, a function without arguments."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import torch

from autograder.probes.known_state import known_state
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.hooks.differenced_passes import DifferencedPasses, Listener
from autograder.references.reference import Reference
from autograder.references.replay import Replay, outcome


def _step_in_backward(parameters: Iterable[torch.Tensor], lr: float) -> list[Any]:
    def step(parameter: torch.Tensor) -> None:
        with torch.no_grad():
            parameter -= lr * parameter.grad
        parameter.grad = None

    return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]


def _step_by_differences(program: Program) -> dict[str, Any]:
    known: list[torch.Tensor] = []

    def gradient(output: torch.Tensor, tensor: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
        before = tensor.detach().clone()

        def loss_at(moved: torch.Tensor) -> torch.Tensor:
            tensor.data.copy_(moved)
            return replay.names["loss"]()

        found = numeric.gradient(loss_at, before, upstream)
        tensor.data.copy_(before)
        return found

    def leaves() -> list[torch.Tensor]:
        named = [one for one in replay.names.values() if isinstance(one, torch.Tensor)]
        others = [one for one in named if not any(one is parameter for parameter in known)]
        return known + [one for one in others if one.is_leaf and one.requires_grad]

    passes = DifferencedPasses(gradient, leaves)

    def listening(_: Replay, parameters: Iterable[torch.Tensor], lr: float) -> list[Listener]:
        def moved(parameter: torch.Tensor, found: torch.Tensor) -> None:
            parameter.data.sub_(lr * found)

        known.extend(parameters)
        return [passes.listen(one, functools.partial(moved, one), consumes=True) for one in known]

    replay = Replay(program, "step_in_backward", listening)
    with known_state(), passes:
        return replay.shown(program.shown)


step_in_backward = Reference(
    lambda program: outcome(program, "step_in_backward", _step_in_backward),
    "post-accumulate-grad hooks",
    _step_by_differences,
    "central differences of the loss, all of them taken before any parameter is moved",
)
