"""grad_after: several passes into one leaf, and sums of differences."""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch

from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

Function = Callable[[torch.Tensor], torch.Tensor]


def _grad_after(f: Function, x: torch.Tensor, times: int) -> list[torch.Tensor]:
    leaf = x.detach().clone().requires_grad_()
    found = []
    for _ in range(times):
        f(leaf).backward()
        found.append(leaf.grad.clone())
    return found


def _by_differences(replay: Replay, f: Function, x: torch.Tensor, times: int) -> list[torch.Tensor]:
    f = copy.deepcopy(f)  # one that counts its calls starts from where it stood

    def at_call(number: int) -> Function:
        def value(t: torch.Tensor) -> torch.Tensor:
            fresh = copy.deepcopy(f)
            for _ in range(number):
                fresh(t)
            return fresh(t)

        return value

    sums, total = [], torch.zeros(x.shape, dtype=torch.float64)
    for number in range(times):
        total = total + numeric.gradient(at_call(number), x.detach().double())
        sums.append(total.to(x.dtype))
    return sums


grad_after = program_reference(
    "grad_after", _grad_after, "autograd in float64", _by_differences, "central differences of each call, added up"
)
