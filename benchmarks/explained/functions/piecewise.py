"""Functions with a kink."""

# mypy: allow-subclassing-any
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from benchmarks.explained.functions.drawing import around_zero


class Absolute(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = torch.abs(x)
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return upstream * torch.sign(x)


class Relu(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = x.clamp(min=0)
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return upstream * (x > 0)


class LeakyRelu(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, slope: float) -> Tensor:
        y = torch.where(x > 0, x, slope * x)
        ctx.save_for_backward(x)
        ctx.slope = slope
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        slope = ctx.slope
        return torch.where(x > 0, upstream, slope * upstream), None


class Clamp(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, low: float, high: float) -> Tensor:
        y = x.clamp(low, high)
        ctx.save_for_backward(x)
        ctx.limits = low, high
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None, None]:
        (x,) = ctx.saved_tensors
        low, high = ctx.limits
        inside = (x >= low) & (x <= high)
        return upstream * inside, None, None


class Huber(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, delta: float) -> Tensor:
        small = x.abs() < delta
        y = torch.where(small, 0.5 * x**2, delta * (x.abs() - 0.5 * delta))
        ctx.save_for_backward(x)
        ctx.delta = delta
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        delta = ctx.delta
        slope = torch.where(x.abs() < delta, x, delta * x.sign())
        return upstream * slope, None


INPUTS: dict[type, tuple[Any, ...]] = {
    Absolute: (around_zero(3, 4),),
    Relu: (around_zero(3, 4),),
    LeakyRelu: (around_zero(3, 4), 0.1),
    Clamp: (around_zero(3, 4), -0.7, 0.8),
    Huber: (2 * around_zero(3, 4), 1.2),
}
