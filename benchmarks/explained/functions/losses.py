"""Losses, and a convolution."""

# mypy: allow-subclassing-any
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from benchmarks.explained.functions.drawing import around_zero, between


class MeanSquare(Function):
    @staticmethod
    def forward(ctx: Any, prediction: Tensor, target: Tensor) -> Tensor:
        difference = prediction - target
        ctx.save_for_backward(difference)
        return (difference**2).mean()

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        (difference,) = ctx.saved_tensors
        slope = upstream * 2 * difference / difference.numel()
        return slope, -slope


class CrossEntropy(Function):
    @staticmethod
    def forward(ctx: Any, logits: Tensor, target: Tensor) -> Tensor:
        logs = logits - torch.logsumexp(logits, 1, keepdim=True)
        ctx.save_for_backward(logs, target)
        return -logs[torch.arange(len(target)), target].mean()

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        logs, target = ctx.saved_tensors
        n = len(target)
        chosen = torch.zeros_like(logs)
        chosen[torch.arange(n), target] = 1
        return upstream * (torch.exp(logs) - chosen) / n, None


class BinaryCrossEntropy(Function):
    @staticmethod
    def forward(ctx: Any, logits: Tensor, target: Tensor) -> Tensor:
        losses = logits.clamp(min=0) - logits * target + torch.log(1 + torch.exp(-logits.abs()))
        ctx.save_for_backward(logits, target)
        return losses.mean()

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        logits, target = ctx.saved_tensors
        n = logits.numel()
        return upstream * (torch.sigmoid(logits) - target) / n, -upstream * logits / n


class Convolution(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, kernel: Tensor) -> Tensor:
        windows = x.unfold(0, len(kernel), 1)
        ctx.save_for_backward(x, kernel, windows)
        return windows @ kernel

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor]:
        x, kernel, windows = ctx.saved_tensors
        width = len(kernel)
        of_x = torch.zeros_like(x)
        for k in range(width):
            of_x[k : k + len(upstream)] += upstream * kernel[k]
        return of_x, upstream @ windows


INPUTS: dict[type, tuple[Any, ...]] = {
    MeanSquare: (around_zero(3, 4), around_zero(3, 4)),
    CrossEntropy: (around_zero(4, 3), torch.tensor([2, 0, 1, 0])),
    BinaryCrossEntropy: (around_zero(3, 4), between(0, 1, 3, 4)),
    Convolution: (around_zero(6), around_zero(3)),
}
