"""push_towards: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch import nn
from torch.nn import functional

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import flatter, with_ends
from autograder.checks.draws.models import chain
from autograder.checks.draws.numbers import positive, tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

from ..shared import AUTOGRAD, BEGIN, Draw, seed


def _push_towards(model: nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int) -> torch.Tensor:
    for _ in range(steps):
        leaf = x.detach().clone().requires_grad_()
        x = leaf.detach() - rate * torch.autograd.grad(functional.mse_loss(model(leaf), goal), leaf)[0]
    return x


def _push_towards_numeric(
    replay: Replay, model: nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int
) -> torch.Tensor:
    with torch.no_grad():
        for _ in range(steps):
            step = 10 * numeric.STEP * max(1.0, float(x.abs().max()))  # a large goal's loss is rounded more
            x = x - rate * numeric.gradient(lambda moved: ((model(moved) - goal) ** 2).mean(), x, step=step)
    return x


REFERENCE = program_reference(
    "push_towards", _push_towards, AUTOGRAD, _push_towards_numeric, "steps along central differences"
)

TASK = Task(
    __file__,
    minutes=4,
    concepts=("optimisation", "aliasing"),
    section="Gradient steps written by hand",
    begin=BEGIN,
    reference=REFERENCE,
)


def push_towards(*shown: str) -> Draw:
    """Two or three steps on a curved model with one to three samples."""

    def draw(source: Random) -> tuple[Program]:
        i, o, batch = source.randint(2, 3), source.randint(1, 3), source.randint(1, 3)
        text = f"""{seed(source)}model = {chain(source, i, o)}.double()
{flatter("model[0]")}x = {tensor_text(source, (batch, i))}
goal = {tensor_text(source, (batch, o))}
result = push_towards(model, x, goal, {positive(source, 0.3, 1)}, {source.randint(2, 3)})
"""
        return (Program(text, shown),)

    return draw


@TASK.check("closer with every step", points=2, cases="closer", draw=with_ends(push_towards("result")))
def test_push_towards(answers: Answers) -> None:
    """One step and several, on linear and curved models."""
    answers.agree()


@TASK.check(
    "x and the model as they were",
    points=1,
    cases="as found",
    draw=push_towards("result"),
    draws=1,
    damage=True,
)
def test_push_towards_leaves_things_as_found(answers: Answers) -> None:
    """The caller's tensor, parameters and their gradients, modes; no step."""
    answers.agree()
