"""The tasks' Functions a second time: values and gradients from NumPy, carried by a Function.

Closed forms where there are some, central differences elsewhere, the definition where a gradient is defined.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import torch

from autograder.references import numeric

Array = numpy.ndarray
Formula = Callable[[Array], Array]


def _tensor(array: Any, like: torch.Tensor) -> torch.Tensor:
    return torch.as_tensor(array).to(like.dtype)


def _array(tensor: torch.Tensor) -> Array:
    return tensor.detach().numpy()


def elementwise(value: Formula, slope: Formula, curvature: Formula | None = None) -> type:
    """A Function of one tensor from formulas of its value, its slope and, where wanted, its second derivative."""

    class Slope(torch.autograd.Function):
        """upstream * slope(x), itself differentiable by the curvature."""

        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x, upstream)
            return upstream * _tensor(slope(_array(x)), x)

        @staticmethod
        def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            x, first = ctx.saved_tensors
            return upstream * first * _tensor(curvature(_array(x)), x), upstream * _tensor(slope(_array(x)), x)

    class Value(torch.autograd.Function):
        """value(x)."""

        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x)
            return _tensor(value(_array(x)), x)

        @staticmethod
        def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
            return Slope.apply(ctx.saved_tensors[0], upstream)

    return Value


def by_differences(value: Callable[..., Array]) -> type:
    """A Function whose gradients are central differences of `value`, for one tensor argument at a time."""

    class Differences(torch.autograd.Function):
        """value(*inputs); arguments that are no tensors are handed on."""

        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> torch.Tensor:
            ctx.inputs = inputs
            return Differences.at(inputs)

        @staticmethod
        def at(inputs: tuple) -> torch.Tensor:
            arrays = [_array(one) if isinstance(one, torch.Tensor) else one for one in inputs]
            return _tensor(value(*arrays), inputs[0])

        @staticmethod
        def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
            return tuple(Differences.of(ctx, place, upstream) for place in range(len(ctx.inputs)))

        @staticmethod
        def of(ctx: Any, place: int, upstream: torch.Tensor) -> torch.Tensor | None:
            if not ctx.needs_input_grad[place]:
                return None
            wide = [one.detach().double() if isinstance(one, torch.Tensor) else one for one in ctx.inputs]

            def moved(one: torch.Tensor) -> torch.Tensor:
                return Differences.at((*wide[:place], one, *wide[place + 1 :]))

            return numeric.gradient(moved, wide[place], upstream.double()).to(upstream.dtype)

    return Differences


def _logistic(x: Array) -> Array:
    small = numpy.exp(-numpy.abs(x))  # between 0 and 1
    return numpy.where(x >= 0, 1, small) / (1 + small)


Cube = elementwise(lambda x: x**3, lambda x: 3 * x**2, lambda x: 6 * x)
StableSoftplus = elementwise(
    lambda x: numpy.maximum(x, 0) + numpy.log1p(numpy.exp(-numpy.abs(x))),
    _logistic,
    lambda x: numpy.exp(-numpy.abs(x)) / (1 + numpy.exp(-numpy.abs(x))) ** 2,
)
StraightThroughSign = elementwise(numpy.sign, lambda x: numpy.where(numpy.abs(x) <= 1, 1.0, 0.0))
GradientExtractor = by_differences(lambda x, index: x[index])
MatMul = by_differences(numpy.matmul)


class GradientReversal:
    """x, with the slope -strength by definition."""

    @staticmethod
    def apply(x: torch.Tensor, strength: float) -> torch.Tensor:
        return elementwise(lambda array: array.copy(), lambda array: numpy.full_like(array, -strength)).apply(x)


class MaxWithIndex:
    """The product with a row that holds a 1 at the maximum."""

    @staticmethod
    def apply(x: torch.Tensor) -> tuple[torch.Tensor, int]:
        index = int(numpy.argmax(_array(x)))
        row = torch.zeros_like(x)
        row[index] = 1
        return row @ x, index
