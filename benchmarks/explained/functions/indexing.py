"""Functions that move numbers to other places."""

# mypy: allow-subclassing-any
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from benchmarks.explained.functions.drawing import around_zero


class Gather(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, index: Tensor) -> Tensor:
        y = x.gather(1, index)
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (index,) = ctx.saved_tensors
        return upstream.new_zeros(ctx.shape).scatter_add(1, index, upstream), None


class Embedding(Function):
    @staticmethod
    def forward(ctx: Any, table: Tensor, index: Tensor) -> Tensor:
        y = table[index]
        ctx.save_for_backward(index)
        ctx.rows = len(table)
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (index,) = ctx.saved_tensors
        found = upstream.new_zeros(ctx.rows, upstream.shape[1])
        return found.index_add(0, index, upstream), None


class Pad(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, before: int, after: int) -> Tensor:
        y = torch.nn.functional.pad(x, (before, after))
        ctx.before, ctx.after = before, after
        return y

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None, None]:
        end = upstream.shape[1] - ctx.after
        return upstream[:, ctx.before : end], None, None


class Roll(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, shift: int) -> Tensor:
        ctx.shift = shift
        return x.roll(shift, 1)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        return upstream.roll(-ctx.shift, 1), None


class Flip(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.flip(0)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        return upstream.flip(0)


class Difference(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x[:, 1:] - x[:, :-1]

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> Tensor:
        edge = torch.zeros_like(upstream[:, :1])
        return torch.cat([edge, upstream], 1) - torch.cat([upstream, edge], 1)


INPUTS: dict[type, tuple[Any, ...]] = {
    Gather: (around_zero(3, 5), torch.tensor([[0, 2, 2], [1, 1, 4], [3, 0, 2]])),
    Embedding: (around_zero(5, 3), torch.tensor([1, 3, 1, 0])),
    Pad: (around_zero(3, 4), 1, 2),
    Roll: (around_zero(3, 4), 1),
    Flip: (around_zero(4, 3),),
    Difference: (around_zero(3, 5),),
}
