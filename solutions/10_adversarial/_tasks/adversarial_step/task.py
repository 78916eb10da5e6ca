"""adversarial_step: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from autograder.checks.answers import Answers
from autograder.checks.draws.attempts import redrawn
from autograder.checks.draws.ends import TINY, with_ends
from autograder.checks.draws.numbers import positive
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.leaves import in_double
from autograder.references.replay import Replay, before_first_use, program_reference

from ..attacks import loss_by_numpy, slope, slope_by_differences, stepped
from ..networks import AT_THE_EDGES, INNER, Drawn, is_telling


def trained_on(model: nn.Module, optimizer: Any, images: torch.Tensor, y: torch.Tensor) -> float:
    """A step of the optimizer on these images; the loss before it."""
    optimizer.zero_grad()
    loss = functional.cross_entropy(model(images), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def hardened(model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> float:
    """A step of the optimizer on the images of one sign step."""
    return trained_on(model, optimizer, stepped(model, x, y, epsilon), y)


def _hardened_numeric(
    replay: Replay, model: nn.Module, optimizer: Any, x: torch.Tensor, y: torch.Tensor, epsilon: float
) -> float:
    """Images and gradients by differences; only the optimizer's own arithmetic is torch's."""
    way = torch.from_numpy(slope_by_differences(model, x, y))
    images = (x.double() + torch.where(way > 0, epsilon, -epsilon)).clamp(0, 1)
    wide = in_double(model)
    before = loss_by_numpy(wide(images), y).item() / len(y)
    for own, copy in zip(model.parameters(), wide.parameters(), strict=True):
        trains = own.requires_grad
        own.grad = _of_parameter(wide, copy, images, y).to(own.dtype) / len(y) if trains else None
    optimizer.step()
    return before


def _of_parameter(model: nn.Module, parameter: nn.Parameter, images: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    start = parameter.detach().clone()

    def loss(moved: torch.Tensor) -> torch.Tensor:
        parameter.data.copy_(moved)
        return loss_by_numpy(model(images), y)

    found = numeric.gradient(loss, start)
    parameter.data.copy_(start)
    return found


REFERENCE = program_reference(
    "adversarial_step",
    hardened,
    "autograd in float64",
    _hardened_numeric,
    "central differences for pixels and parameters",
)

TASK = Task(
    __file__,
    minutes=8,
    concepts=("accumulation", "optimisation"),
    section="Adversarial training",
    reference=REFERENCE,
    may_change=(
        Allowed.PARAMETERS,
        Allowed.PARAMETER_GRADS,
    ),
    says={
        "torch.as_tensor(loss).requires_grad": "`loss` still requires a gradient, and holds its graph",
        "torch.is_tensor(loss) and loss.dim() > 0": "`loss` has an axis; return a float or a tensor without axes",
    },
)

OPTIMIZERS = (
    "torch.optim.SGD(model.parameters(), lr={lr})",
    "torch.optim.SGD(model.parameters(), lr={lr}, momentum=0.9, weight_decay=0.1)",
)

LEFT_OVER = "for _ in range(2):\n    F.cross_entropy(model(X), y).backward()\n"
"""Leaves gradients behind."""


def adversarial_step(*shown: str, left_over: bool = False, also: tuple[str, ...] = ()) -> Draw:
    """An optimizer, and gradients that were left over or not."""

    def make(source: Random) -> Program:
        drawn = Drawn(source, source.choice((INNER, AT_THE_EDGES)), name="X")
        made = source.choice(OPTIMIZERS).format(lr=round(source.uniform(0.1, 0.6), 2))
        text = f"""{drawn.lines}{drawn.labels(source, images="X")}optimizer = {made}
{LEFT_OVER if left_over else ""}loss = adversarial_step(model, optimizer, X, y, {positive(source, 0.05, 0.2)})
"""
        return Program(text, shown, also)

    def clear(program: Program) -> bool:
        names = before_first_use(program, "adversarial_step")
        return is_telling(slope(names["model"], names["X"], names["y"]))

    return redrawn(make, clear)


PARAMETERS = "[p.detach() for p in model.parameters()]"


@TASK.check(
    "the parameters",
    points=3,
    cases="parameters",
    draw=with_ends(adversarial_step(PARAMETERS), TINY),
)
def test_adversarial_step(answers: Answers) -> None:
    """Several optimizers."""
    answers.agree()


@TASK.check("the loss", points=1, cases="loss", draw=with_ends(adversarial_step("loss", also=(PARAMETERS,)), TINY))
def test_adversarial_step_returns_the_loss(answers: Answers) -> None:
    """That of the attacked images, from before the step, detached."""
    answers.agree()


@TASK.check("gradients left over", points=1, cases="left over", draw=adversarial_step(PARAMETERS, left_over=True))
def test_adversarial_step_clears_gradients(answers: Answers) -> None:
    """`.grad` holds something before."""
    answers.agree()


@TASK.check("frozen layers, and all as it was", points=1, cases="as found", damage=True)
def test_adversarial_step_leaves_things_as_found(answers: Answers) -> None:
    """Images, modes and frozen parameters stay."""
    answers.agree()
