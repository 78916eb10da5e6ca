"""same_tensor: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random
from typing import Any

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import Draw


def _same_tensor(x: torch.Tensor) -> tuple[torch.Tensor, float]:
    t0 = 2 * x
    t1 = t0**2
    (d,) = torch.autograd.grad(t1, t0, retain_graph=True)
    return torch.stack([t0, t1]), d.item()


class _Doubled(torch.autograd.Function):
    """[2x, (2x)**2] as one operation, its backward by hand."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.number = x.item()
        return torch.tensor([2 * ctx.number, 4 * ctx.number**2], dtype=x.dtype)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
        return 2 * upstream[0] + 8 * ctx.number * upstream[1]


def _same_tensor_by_hand(replay: Replay, x: torch.Tensor) -> tuple[torch.Tensor, float]:
    return _Doubled.apply(x), 4 * x.item()


REFERENCE = program_reference(
    "same_tensor",
    _same_tensor,
    "autograd in float64",
    _same_tensor_by_hand,
    "one operation whose derivatives are written by hand",
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("graphs", "aliasing"),
    section="torch.stack: elements first, tensor last",
    reference=REFERENCE,
)


def same_tensor(*shown: str, filled: bool = False, used: bool = False) -> Draw:
    """A leaf without axes; where t is used, the program goes on and asks how a sum of its elements moves with x."""

    def draw(source: Random) -> tuple[Program]:
        text = f"x = {tensor_text(source, (), requires_grad=True)}\n"
        text += f"x.grad = {tensor_text(source, ())}\n" if filled and source.random() < 0.5 else ""
        if used:
            text += "t, d = same_tensor(x)\n"
            text += f"(result,) = torch.autograd.grad({number(source)} * t[0] + {number(source)} * t[1], x)\n"
        else:
            text += "result = same_tensor(x)\n"
        return (Program(text, shown),)

    return draw


@TASK.check("`t` and `d`", points=2, cases="values", draw=same_tensor("result"))
def test_same_tensor(answers: Answers) -> None:
    """One tensor with two elements, and the derivative of one by the other."""
    answers.agree()


@TASK.check("`t` leads back to `x`", points=2, cases="connected", draw=with_ends(same_tensor("result", used=True)))
def test_same_tensor_stays_connected(answers: Answers) -> None:
    """The program goes on with t after the question about d."""
    answers.agree()


@TASK.check("`x.grad` as it was", points=1, cases="as it was", draw=same_tensor("result[0]", filled=True), damage=True)
def test_same_tensor_leaves_no_traces(answers: Answers) -> None:
    """Empty or filled."""
    answers.agree()
