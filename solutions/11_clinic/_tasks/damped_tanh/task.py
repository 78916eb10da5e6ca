"""damped_tanh: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy
import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import positive, tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import BEGIN


def _damped_tanh(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x) * torch.where(x < 0, 0.1, 1.0).to(x.dtype)


def _damped_tanh_closed(replay: Replay, x: torch.Tensor) -> torch.Tensor:
    """From exponentials; the gradient by operations, so that it has a gradient too."""

    class Damped(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x)
            ends = numpy.exp(-2 * numpy.abs(x.detach().numpy()))
            factor = numpy.where(x.detach().numpy() < 0, -0.1, 1.0)
            return torch.as_tensor(factor * (1 - ends) / (1 + ends))

        @staticmethod
        def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
            (x,) = ctx.saved_tensors
            return upstream * (0.55 + 0.45 * x.sign()) / torch.cosh(x) ** 2

    return Damped.apply(x)


REFERENCE = program_reference(
    "damped_tanh", _damped_tanh, "autograd through a product", _damped_tanh_closed, "closed form from exponentials"
)

TASK = Task(
    __file__,
    minutes=4,
    concepts=("leaves",),
    section="In-place writes through .data",
    begin=BEGIN,
    reference=REFERENCE,
)


def damped_tanh(source: Random) -> tuple[Program]:
    """Entries of both signs, upstream gradients that differ."""
    size = source.randint(3, 5)
    signs = [-1, 1, *(source.choice((-1, 1)) for _ in range(size - 2))]
    x = [sign * positive(source, 0.2, 2.5) for sign in signs]
    source.shuffle(x)
    text = f"""x = torch.tensor({x}, dtype=torch.float64, requires_grad=True)
result = damped_tanh(x)
result.backward({tensor_text(source, (size,))})
"""
    return (Program(text, ("result", "x.grad")),)


@TASK.check("values and gradient", points=2, cases="gradient", draw=with_ends(damped_tanh))
def test_damped_tanh(answers: Answers) -> None:
    """Entries of both signs, any upstream gradient."""
    answers.agree()


@TASK.check("any shape, and differentiated twice", points=1, cases="shapes")
def test_damped_tanh_of_any_shape(answers: Answers) -> None:
    """Matrices, single numbers, an x that is no leaf; x stays as it is."""
    answers.agree()
