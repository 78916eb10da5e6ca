"""Functions that normalise along an axis."""

# mypy: allow-subclassing-any
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from benchmarks.explained.functions.drawing import around_zero, between


class Softmax(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        e = torch.exp(x - x.amax(1, keepdim=True))
        y = e / e.sum(1, keepdim=True)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return y * (upstream - (upstream * y).sum(1, keepdim=True))


class LogSoftmax(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = x - torch.logsumexp(x, 1, keepdim=True)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return upstream - torch.exp(y) * upstream.sum(1, keepdim=True)


class LayerNorm(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, gain: Tensor, shift: Tensor) -> Tensor:
        centred = x - x.mean(1, keepdim=True)
        inverse = 1 / torch.sqrt((centred**2).mean(1, keepdim=True) + 1e-5)
        z = centred * inverse
        ctx.save_for_backward(z, inverse, gain)
        return gain * z + shift

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        z, inverse, gain = ctx.saved_tensors
        inner = upstream * gain
        mean = inner.mean(1, keepdim=True)
        along = z * (inner * z).mean(1, keepdim=True)
        return inverse * (inner - mean - along), (upstream * z).sum(0), upstream.sum(0)


class BatchNorm(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, gain: Tensor, shift: Tensor) -> Tensor:
        deviation = torch.sqrt(x.var(0, correction=0) + 1e-5)
        z = (x - x.mean(0)) / deviation
        ctx.save_for_backward(z, deviation, gain)
        return gain * z + shift

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        z, deviation, gain = ctx.saved_tensors
        n = len(z)
        of_gain, of_shift = (upstream * z).sum(0), upstream.sum(0)
        of_x = gain / (n * deviation) * (n * upstream - of_shift - z * of_gain)
        return of_x, of_gain, of_shift


class RmsNorm(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, gain: Tensor) -> Tensor:
        size = torch.sqrt((x**2).mean(1, keepdim=True) + 1e-6)
        z = x / size
        ctx.save_for_backward(z, size, gain)
        return gain * z

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        z, size, gain = ctx.saved_tensors
        inner = upstream * gain
        of_x = (inner - z * (inner * z).mean(1, keepdim=True)) / size
        return of_x, (upstream * z).sum(0)


class L2Normalise(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        length = x.norm(dim=1, keepdim=True)
        y = x / length
        ctx.save_for_backward(y, length)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        y, length = ctx.saved_tensors
        return (upstream - y * (upstream * y).sum(1, keepdim=True)) / length


class Centre(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x - x.mean(0)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        return upstream - upstream.mean(0, keepdim=True)


INPUTS: dict[type, tuple[Any, ...]] = {
    Softmax: (around_zero(3, 4),),
    LogSoftmax: (around_zero(3, 4),),
    LayerNorm: (around_zero(3, 4), between(0.5, 1.5, 4), around_zero(4)),
    BatchNorm: (around_zero(5, 3), between(0.5, 1.5, 3), around_zero(3)),
    RmsNorm: (around_zero(3, 4), between(0.5, 1.5, 4)),
    L2Normalise: (around_zero(3, 4),),
    Centre: (around_zero(4, 3),),
}
