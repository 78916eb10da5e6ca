"""Functions of several tensors."""

# mypy: allow-subclassing-any
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from benchmarks.explained.functions.drawing import around_zero, between


class Multiply(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        y = a * b
        ctx.save_for_backward(a, b)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        a, b = ctx.saved_tensors
        return upstream * b, upstream * a


class Divide(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        y = a / b
        ctx.save_for_backward(a, b)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        a, b = ctx.saved_tensors
        return upstream / b, -upstream * a / b**2


class Subtract(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, row: Tensor) -> Tensor:
        return a - row

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        return upstream, -upstream.sum(0)


class MatMul(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        y = a @ b
        ctx.save_for_backward(a, b)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        a, b = ctx.saved_tensors
        return upstream @ b.mT, a.mT @ upstream


class Outer(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        y = a[:, None] * b[None, :]
        ctx.save_for_backward(a, b)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        a, b = ctx.saved_tensors
        return (upstream * b).sum(1), (upstream * a[:, None]).sum(0)


class Linear(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        y = x @ weight.T + bias
        ctx.save_for_backward(x, weight)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x, weight = ctx.saved_tensors
        return upstream @ weight, upstream.T @ x, upstream.sum(0)


class WeightedMean(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor) -> Tensor:
        total = w.sum()
        y = (w * x).sum() / total
        ctx.save_for_backward(x, w, y, total)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        x, w, y, total = ctx.saved_tensors
        return upstream * w / total, upstream * (x - y) / total


class Cosine(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        if a.shape != b.shape:
            raise ValueError("two tensors of one shape")
        length, other = a.norm(dim=1, keepdim=True), b.norm(dim=1, keepdim=True)
        y = (a * b).sum(1, keepdim=True) / (length * other)
        ctx.save_for_backward(a, b, y, length, other)
        return y.squeeze(1)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        a, b, y, length, other = ctx.saved_tensors
        along = upstream[:, None]
        of_a = along * (b / (length * other) - y * a / length**2)
        of_b = along * (a / (length * other) - y * b / other**2)
        return of_a, of_b


class SquaredDistance(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        difference = a[:, None, :] - b[None, :, :]
        y = (difference**2).sum(2)
        ctx.save_for_backward(difference)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        (difference,) = ctx.saved_tensors
        slope = 2 * upstream[:, :, None] * difference
        return slope.sum(1), -slope.sum(0)


class Hypotenuse(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        y = torch.sqrt(a**2 + b**2)
        ctx.save_for_backward(a, b, y)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        a, b, y = ctx.saved_tensors
        return upstream * a / y, upstream * b / y


INPUTS: dict[type, tuple[Any, ...]] = {
    Multiply: (around_zero(3, 4), around_zero(3, 4)),
    Divide: (around_zero(3, 4), between(0.5, 2, 3, 4)),
    Subtract: (around_zero(3, 4), around_zero(4)),
    MatMul: (around_zero(3, 4), around_zero(4, 2)),
    Outer: (around_zero(3), around_zero(4)),
    Linear: (around_zero(5, 3), around_zero(4, 3), around_zero(4)),
    WeightedMean: (around_zero(6), between(0.2, 2, 6)),
    Cosine: (around_zero(3, 4), around_zero(3, 4)),
    SquaredDistance: (around_zero(3, 2), around_zero(4, 2)),
    Hypotenuse: (around_zero(3, 4), around_zero(3, 4)),
}
