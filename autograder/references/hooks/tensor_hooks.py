"""References of the tasks that register hooks on tensors: attach_savers, clip_on_the_way."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any
from unittest.mock import MagicMock

import torch

from autograder.probes.known_state import known_state
from autograder.probes.programs import Program
from autograder.references.hooks.differenced_passes import DifferencedPasses, Listener
from autograder.references.reference import Reference
from autograder.references.replay import Replay, outcome

Named = dict[str, torch.Tensor]


def _without_hooks(name: str, implementation: Callable) -> Callable[[Program], dict[str, Any]]:
    """A second source: from a program to what it shows where an implementation listens to differenced passes.

    Args:
        name: the task's.
        implementation: its first argument is the passes.
    """

    def second(program: Program) -> dict[str, Any]:
        def leaves() -> list[torch.Tensor]:
            named = replay.names.values()
            return [one for one in named if isinstance(one, torch.Tensor) and one.is_leaf and one.requires_grad]

        passes = DifferencedPasses(lambda *asked: replay.gradient(*asked), leaves)
        # A handle in the lines that are run again has nothing to remove.
        replay = Replay(program, name, lambda _, *given: implementation(passes, *given), again=MagicMock())
        with known_state(), passes:
            return replay.shown(program.shown)

    return second


def _attach_savers(tensors: Named, grads: Named) -> list[Any]:
    def saver(name: str) -> Callable[[torch.Tensor], None]:
        def save(gradient: torch.Tensor) -> None:
            grads[name] = gradient.detach().clone()

        return save

    return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


def _attach_listeners(passes: DifferencedPasses, tensors: Named, grads: Named) -> list[Listener]:
    return [passes.listen(tensor, functools.partial(grads.__setitem__, name)) for name, tensor in tensors.items()]


attach_savers = Reference(
    lambda program: outcome(program, "attach_savers", _attach_savers),
    "a closure for each tensor",
    _without_hooks("attach_savers", _attach_listeners),
    "central differences in each pass, saved for the tensors that it reaches",
)


def _clip_on_the_way(t: torch.Tensor, max_norm: float) -> Any:
    def clip(gradient: torch.Tensor) -> torch.Tensor:
        length = torch.linalg.vector_norm(gradient)
        return gradient * (max_norm / length) if length > max_norm else gradient

    return t.register_hook(clip)


def _clip_differences(passes: DifferencedPasses, t: torch.Tensor, max_norm: float) -> Listener:
    def shortened(gradient: torch.Tensor) -> torch.Tensor:
        length = sum(element**2 for element in gradient.reshape(-1).tolist()) ** 0.5
        return gradient / max(1.0, length / max_norm)

    return passes.listen(t, shortened)


clip_on_the_way = Reference(
    lambda program: outcome(program, "clip_on_the_way", _clip_on_the_way),
    "a hook that returns",
    _without_hooks("clip_on_the_way", _clip_differences),
    "central differences: what is cut off at t, pulled back from t to the leaves",
)
