"""Functions that reduce or accumulate."""

# mypy: allow-subclassing-any
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from benchmarks.explained.functions.drawing import around_zero, between


class Sum(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = x.sum(1)
        ctx.shape = x.shape
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        return upstream.unsqueeze(1).expand(ctx.shape)


class Mean(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = x.mean(0)
        ctx.shape = x.shape
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        return (upstream / ctx.shape[0]).expand(ctx.shape)


class LogSumExp(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        largest = x.max(1, keepdim=True).values
        y = largest + torch.log(torch.exp(x - largest).sum(1, keepdim=True))
        ctx.save_for_backward(x, y)
        return y.squeeze(1)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        x, y = ctx.saved_tensors
        return upstream[:, None] * torch.exp(x - y)


class Variance(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        centred = x - x.mean(1, keepdim=True)
        y = (centred**2).sum(1) / (x.shape[1] - 1)
        ctx.save_for_backward(centred)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (centred,) = ctx.saved_tensors
        n = centred.shape[1]
        return upstream[:, None] * 2 * centred / (n - 1)


class Norm(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = torch.sqrt((x**2).sum(1, keepdim=True))
        ctx.save_for_backward(x, y)
        return y.squeeze(1)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        x, y = ctx.saved_tensors
        return upstream.unsqueeze(1) * x / y


class Maximum(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y, index = x.max(1, keepdim=True)
        ctx.save_for_backward(x, index)
        return y.squeeze(1)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        x, index = ctx.saved_tensors
        return torch.zeros_like(x).scatter(1, index, upstream[:, None])


class CumulativeSum(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.cumsum(1)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        return upstream.flip(1).cumsum(1).flip(1)


class Product(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = x.prod(1, keepdim=True)
        ctx.save_for_backward(x, y)
        return y.squeeze(1)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        x, y = ctx.saved_tensors
        return upstream[:, None] * y / x


INPUTS: dict[type, tuple[Any, ...]] = {
    Sum: (around_zero(3, 4),),
    Mean: (around_zero(3, 4),),
    LogSumExp: (around_zero(3, 4),),
    Variance: (around_zero(3, 4),),
    Norm: (around_zero(3, 4),),
    Maximum: (around_zero(3, 4),),
    CumulativeSum: (around_zero(3, 4),),
    Product: (between(0.4, 1.8, 3, 4),),
}
