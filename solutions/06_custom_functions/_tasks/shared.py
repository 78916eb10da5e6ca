"""What several tasks of exercise 06 use."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy
import torch

from autograder.checks.draws.numbers import tensor_text
from autograder.checks.draws.torch_modules import Draw
from autograder.probes.programs import NODE, Program
from autograder.references import Reference, numeric
from autograder.references.replay import shown_by

Array = numpy.ndarray
Formula = Callable[[Array], Array]


def tensor_like(array: Any, like: torch.Tensor) -> torch.Tensor:
    """Convert what NumPy computed to a tensor, in the dtype of another."""
    return torch.as_tensor(array).to(like.dtype)


def array_of(tensor: torch.Tensor) -> Array:
    """Return a tensor's numbers as an array."""
    return tensor.detach().numpy()


def elementwise(value: Formula, slope: Formula, curvature: Formula | None = None) -> type:
    """Make a Function of one tensor from formulas of its value, its slope and, optionally, its second derivative."""

    class Slope(torch.autograd.Function):
        """upstream * slope(x), itself differentiable by the curvature."""

        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x, upstream)
            return upstream * tensor_like(slope(array_of(x)), x)

        @staticmethod
        def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            x, first = ctx.saved_tensors
            return upstream * first * tensor_like(curvature(array_of(x)), x), upstream * tensor_like(
                slope(array_of(x)), x
            )

    class Value(torch.autograd.Function):
        """value(x)."""

        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x)
            return tensor_like(value(array_of(x)), x)

        @staticmethod
        def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
            return Slope.apply(ctx.saved_tensors[0], upstream)

    return Value


def by_differences(value: Callable[..., Array]) -> type:
    """Make a Function whose gradients are central differences of `value`, for one tensor argument at a time."""

    class Differences(torch.autograd.Function):
        """value(*inputs); arguments that are not tensors are passed on."""

        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> torch.Tensor:
            ctx.inputs = inputs
            return Differences.at(inputs)

        @staticmethod
        def at(inputs: tuple) -> torch.Tensor:
            arrays = [array_of(one) if isinstance(one, torch.Tensor) else one for one in inputs]
            return tensor_like(value(*arrays), inputs[0])

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


def reference_of(
    name: str,
    oracle: Any,
    second: Any,
    second_by: str,
    oracle_by: str = "autograd in float64, from ordinary operations",
) -> Reference:
    """Make the reference of a task whose questions are programs, from two stand-ins for the student's Function.

    Args:
        name: the task's.
        oracle: lets autograd differentiate operations that it knows.
        second: gets its gradients in another way.
    """
    return Reference(shown_by(name, oracle), oracle_by, shown_by(name, second), second_by)


def draw(write: Callable[[Random], str], *shown: str) -> Draw:
    """Draw a program that shows these expressions; `write` writes its text."""
    return lambda source: (Program(write(source), shown, (NODE,)),)


def some_shape(source: Random) -> tuple[int, ...]:
    """Draw a shape of no axes, one, two or three."""
    return source.choice(((), (3,), (4,), (2, 3), (2, 1, 2)))


def vector(numbers: list[float], *, requires_grad: bool = False) -> str:
    """Write a float64 tensor of these numbers."""
    flag = ", requires_grad=True" if requires_grad else ""
    return f"torch.tensor({numbers}, dtype=torch.float64{flag})"


def once(call: str, x: str, upstream: str) -> str:
    """Write a call on x and a backward pass with an upstream gradient."""
    return f"x = {x}\nupstream = {upstream}\nresult = {call}\nresult.backward(upstream)\n"


def twice_differentiated(name: str, x: str, size: int, source: Random) -> str:
    """Write two derivatives; the upstream gradient requires one too, so that the first always has a graph."""
    return (
        f"x = {x}\nupstream = {tensor_text(source, (size,), requires_grad=True)}\nv = {tensor_text(source, (size,))}\n"
        f"result = {name}.apply(x)\n"
        "(first,) = torch.autograd.grad(result, x, grad_outputs=upstream, create_graph=True)\nfirst.backward(v)\n"
    )


CUT_OFF = (
    "second derivative cut off",
    "The first derivative is right, and what `backward` computes with has lost its connection to `x`. See lesson 06, "
    "“Double backward and once_differentiable”.",
)
