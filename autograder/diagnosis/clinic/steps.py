"""Mistakes of push_towards."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import as_found, mistakes_of

_mistake = mistakes_of("push_towards")


def _gradient(model: nn.Module, x: torch.Tensor, goal: torch.Tensor) -> torch.Tensor:
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(functional.mse_loss(model(leaf), goal), leaf)[0]


def _steps(
    move: Callable[[torch.Tensor], torch.Tensor] = lambda gradient: -gradient,
    gradient: Callable[..., torch.Tensor] = _gradient,
    count: Callable[[int], int] = lambda steps: steps,
) -> Callable[..., torch.Tensor]:
    """Steps that are right but for one thing."""

    def implementation(model: nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int) -> torch.Tensor:
        for _ in range(count(steps)):
            x = x + rate * move(gradient(model, x, goal))
        return x

    return implementation


def _from_the_start(model: nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int) -> torch.Tensor:
    return x - steps * rate * _gradient(model, x, goal)


def _added_up(model: nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int) -> torch.Tensor:
    total = torch.zeros_like(x)
    for _ in range(steps):
        total = total + _gradient(model, x, goal)
        x = x - rate * total
    return x


def _filling(model: nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int) -> torch.Tensor:
    for _ in range(steps):
        leaf = x.detach().clone().requires_grad_()
        functional.mse_loss(model(leaf), goal).backward()
        x = x - rate * leaf.grad
    return x


def _clearing(model: nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int) -> torch.Tensor:
    found = _steps()(model, x, goal, rate, steps)
    model.zero_grad()
    return found


def _frozen(model: nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int) -> torch.Tensor:
    model.requires_grad_(False)
    return _steps()(model, x, goal, rate, steps)


def _of_the_output(model: nn.Module, x: torch.Tensor, goal: torch.Tensor) -> torch.Tensor:
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(model(leaf).sum(), leaf)[0]


def _summed(model: nn.Module, x: torch.Tensor, goal: torch.Tensor) -> torch.Tensor:
    return _gradient(model, x, goal) * goal.numel()


def _in_place(model: nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int) -> torch.Tensor:
    x.data.copy_(_steps()(model, x.clone(), goal, rate, steps))
    return x


PUSH_TOWARDS = (
    *_mistake(
        "as given: the loss rises with every step",
        "The output moves away from the goal. Print the loss before and after one small step, and say beforehand what "
        "it should do. See lesson 11, “Steps in the wrong direction”.",
        _steps(lambda gradient: gradient),
    ),
    *_mistake(
        "parameters' gradients changed",
        "The steps are right, and `.grad` of the model's parameters is not what it was. Only the input's gradient is "
        "needed.",
        _filling,
        _clearing,
    ),
    *_mistake(
        "parameters frozen",
        "The steps are right, and the model's parameters no longer require a gradient. They did before.",
        _frozen,
    ),
    *as_found("push_towards", _steps()),
    *_mistake(
        "x overwritten",
        "The caller's `x` has moved too. Steps on a copy leave it where it was.",
        _in_place,
    ),
    *_mistake(
        "steps of one size",
        "Every entry moves by the rate itself: only the sign of the gradient was used. Here its size counts.",
        _steps(lambda gradient: -gradient.sign()),
    ),
    *_mistake(
        "one step only",
        "This is where the first step leads, however many were asked for.",
        _steps(count=lambda steps: min(steps, 1)),
    ),
    *_mistake(
        "one step too many",
        "One step more was made than asked for. How many are made for 0?",
        _steps(count=lambda steps: steps + 1),
    ),
    *_mistake(
        "gradient of the start",
        "All steps use the gradient at the first point. Each has one of its own, where it starts.",
        _from_the_start,
    ),
    *_mistake(
        "gradients added up",
        "From the second step on, the gradients of earlier steps are still in the one that is used. See lesson 03, "
        "“Accumulation”.",
        _added_up,
    ),
    *_mistake(
        "sum instead of mean",
        "The steps are too large by the number of the output's entries. The loss is the mean of the squares.",
        _steps(gradient=_summed),
    ),
    *_mistake(
        "the goal left out",
        "The output itself was pushed down, whatever the goal is.",
        _steps(gradient=_of_the_output),
    ),
    Mistake(
        "no gradient behind the first step",
        "After the first step the moved input is no leaf any more, and its `.grad` is None. See lesson 03, “Leaves, "
        "inner tensors and parameters”.",
        raises="TypeError: unsupported operand type\\(s\\) for \\*: '(float|NoneType)' and '(NoneType|float)'",
    ),
)
