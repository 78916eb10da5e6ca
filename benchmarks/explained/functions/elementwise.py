"""Functions that map each number by itself."""

# mypy: allow-subclassing-any
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from benchmarks.explained.functions.drawing import around_zero, between


class Exp(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return upstream * y


class Log(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = torch.log(x)
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return upstream / x


class Tanh(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return upstream * (1 - y**2)


class Sigmoid(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = 1 / (1 + torch.exp(-x))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return upstream * y * (1 - y)


class Reciprocal(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = 1 / x
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return -upstream * y**2


class Sqrt(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = torch.sqrt(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return upstream / (2 * y)


class Power(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, n: int) -> Tensor:
        y = x**n
        ctx.save_for_backward(x)
        ctx.n = n
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        n = ctx.n
        return upstream * n * x ** (n - 1), None


class Softplus(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = torch.log(1 + torch.exp(x))
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return upstream / (1 + torch.exp(-x))


class Silu(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        s = torch.sigmoid(x)
        y = x * s
        ctx.save_for_backward(x, s)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        x, s = ctx.saved_tensors
        slope = s + x * s * (1 - s)
        return upstream * slope


class Gelu(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        t = torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
        y = 0.5 * x * (1 + t)
        ctx.save_for_backward(x, t)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        x, t = ctx.saved_tensors
        inner = math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x**2)
        slope = 0.5 * (1 + t) + 0.5 * x * (1 - t**2) * inner
        return upstream * slope


INPUTS: dict[type, tuple[Any, ...]] = {
    Exp: (around_zero(3, 4),),
    Log: (between(0.2, 3, 3, 4),),
    Tanh: (around_zero(3, 4),),
    Sigmoid: (around_zero(3, 4),),
    Reciprocal: (between(0.4, 2, 3, 4),),
    Sqrt: (between(0.2, 3, 3, 4),),
    Power: (around_zero(3, 4), 3),
    Softplus: (around_zero(3, 4),),
    Silu: (around_zero(3, 4),),
    Gelu: (around_zero(3, 4),),
}
