"""stop_gradient: defined, not derived, so finite differences disagree; two implementations that share no code."""

from __future__ import annotations

from typing import Any

import torch

from autograder.references.replay import Replay, program_reference


def _stop_gradient(x: torch.Tensor) -> torch.Tensor:
    return x.detach() * x


class _Stopped(torch.autograd.Function):
    """The definition as it stands: the value, and what backward makes of the upstream gradient."""

    @staticmethod
    def forward(x: torch.Tensor) -> torch.Tensor:
        return x**2

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: torch.Tensor) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return upstream * x


def _by_definition(replay: Replay, x: torch.Tensor) -> torch.Tensor:
    return _Stopped.apply(x)


stop_gradient = program_reference(
    "stop_gradient", _stop_gradient, "detach in one factor", _by_definition, "the definition as a Function", 1e-12
)
