"""stop_gradient: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random
from typing import Any

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import moderate, tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference


def _stop_gradient(x: torch.Tensor) -> torch.Tensor:
    return x.detach() * x


class _Stopped(torch.autograd.Function):
    """The definition as it stands: the value, and what backward makes of the upstream gradient."""

    @staticmethod
    def forward(x: torch.Tensor) -> torch.Tensor:
        return x**2

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: torch.Tensor) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return upstream * x


def _by_definition(replay: Replay, x: torch.Tensor) -> torch.Tensor:
    return _Stopped.apply(x)


REFERENCE = program_reference(
    "stop_gradient", _stop_gradient, "detach in one factor", _by_definition, "the definition as a Function", 1e-12
)

TASK = Task(__file__, minutes=4, concepts=("leaves",), section="A gradient stopped in a product", reference=REFERENCE)


def stop_gradient(source: Random) -> tuple[Program]:
    """`stop_gradient` of a leaf or an inner tensor, with an upstream gradient."""
    shape = source.choice(((), (3,), (2, 2)))
    text = f"x = {tensor_text(source, shape, requires_grad=True)}\n"
    inner = source.choice(("x", f"{moderate(source)} * x", "torch.sin(x)"))
    text += f"result = stop_gradient({inner})\n"
    text += f"result.backward({tensor_text(source, shape)})\n"
    return (Program(text, ("x.grad",), ("result",)),)


def squares(source: Random) -> tuple[Program]:
    """`stop_gradient`, its value alone."""
    x = tensor_text(source, source.choice(((), (3,), (2, 2))), requires_grad=source.random() < 0.5)
    return (Program(f"x = {x}\nresult = stop_gradient(x)\n", ("result",)),)


@TASK.check("the value", points=1, cases="value", draw=with_ends(squares))
def test_stop_gradient_value(answers: Answers) -> None:
    """x squared; x stays."""
    answers.agree()


@TASK.check("the gradient", points=2, cases="gradient", draw=with_ends(stop_gradient))
def test_stop_gradient(answers: Answers) -> None:
    """x times the upstream gradient, at a leaf and beyond."""
    answers.agree()
