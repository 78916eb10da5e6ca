"""References of exercise 11: what the repaired programs compute, each from two sources."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy
import torch
from torch import nn
from torch.nn import functional

from autograder.references import numeric
from autograder.references.custom_functions import shown_by
from autograder.references.reference import Reference
from autograder.references.replay import Replay, program_reference

Array = numpy.ndarray
AUTOGRAD = "autograd in float64"


class Carried(torch.autograd.Function):
    """Carries a value and its gradients, computed in NumPy: `apply(formula, *tensors)`.

    `formula` maps arrays to the value and to a list with a function for each, from the upstream gradient to the
    gradient of that tensor.
    """

    @staticmethod
    def forward(ctx: Any, formula: Callable[..., tuple[Any, list[Callable]]], *tensors: torch.Tensor) -> torch.Tensor:
        value, ctx.gradients = formula(*(one.detach().numpy() for one in tensors))
        return torch.as_tensor(value)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return None, *(torch.as_tensor(gradient(upstream.numpy())) for gradient in ctx.gradients)


def _task_gradients(w: torch.Tensor, x: torch.Tensor, targets: list[float]) -> list[torch.Tensor]:
    return [torch.autograd.grad(((x @ w - target) ** 2).mean(), w)[0] for target in targets]


def _task_gradients_numeric(
    replay: Replay, w: torch.Tensor, x: torch.Tensor, targets: list[float]
) -> list[torch.Tensor]:
    return [numeric.gradient(lambda moved, t=target: ((x @ moved - t) ** 2).mean(), w.detach()) for target in targets]


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
            x = x - rate * numeric.gradient(lambda moved: ((model(moved) - goal) ** 2).mean(), x)
    return x


class _PickManyComposed:
    @staticmethod
    def apply(x: torch.Tensor, index: tuple[int, ...]) -> torch.Tensor:
        return torch.stack([x[i] for i in index])


def _picked(index: tuple[int, ...]) -> Callable[[Array], tuple[Array, list[Callable]]]:
    def formula(x: Array) -> tuple[Array, list[Callable]]:
        ones = numpy.eye(len(x))[list(index)]
        return ones @ x, [lambda upstream: ones.T @ upstream]

    return formula


class _PickManyByMatrix:
    @staticmethod
    def apply(x: torch.Tensor, index: tuple[int, ...]) -> torch.Tensor:
        return Carried.apply(_picked(index), x)


def _sample_gradient_norms(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    losses = [functional.cross_entropy(model(inputs[i : i + 1]), y[i : i + 1]) for i in range(len(y))]
    return torch.stack([torch.autograd.grad(loss, model.weight)[0].norm() for loss in losses])


def _sample_norms_closed(replay: Replay, model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The gradient is the outer product of (probabilities - one-hot) with the sample, and its norm theirs."""
    weight, samples = model.weight.detach().numpy(), inputs.numpy()
    scores = samples @ weight.T + (0 if model.bias is None else model.bias.detach().numpy())
    chances = numpy.exp(scores - scores.max(1, keepdims=True))
    errors = chances / chances.sum(1, keepdims=True) - numpy.eye(len(weight))[y.numpy()]
    return torch.from_numpy(numpy.sqrt((errors**2).sum(1)) * numpy.sqrt((samples**2).sum(1)))


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


def _distance(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.linalg.vector_norm(a - b, dim=1)


def _distances(a: Array, b: Array) -> tuple[Array, list[Callable]]:
    lengths = numpy.array([math.hypot(*row) for row in a - b])
    directions = numpy.divide(a - b, lengths[:, None], out=numpy.zeros_like(a), where=lengths[:, None] > 0)
    return lengths, [lambda upstream: upstream[:, None] * directions, lambda upstream: -upstream[:, None] * directions]


def _ridge_loss(w: torch.Tensor, inputs: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    return functional.mse_loss(inputs @ w, y) + strength * w.dot(w)


def _ridge(strength: float) -> Callable[..., tuple[Any, list[Callable]]]:
    def formula(w: Array, inputs: Array, y: Array) -> tuple[Any, list[Callable]]:
        errors = inputs @ w - y
        pull = 2 * errors / len(y)
        gradients = [inputs.T @ pull + 2 * strength * w, numpy.outer(pull, w), -pull]
        value = (errors**2).sum() / len(y) + strength * (w**2).sum()
        return value, [lambda upstream, one=one: upstream * one for one in gradients]

    return formula


Batches = Iterable[tuple[torch.Tensor, torch.Tensor]]


def _mean_loss(model: nn.Module, loss_fn: Callable, batches: Batches) -> float:
    with torch.no_grad():
        return torch.stack([loss_fn(model(inputs), y) for inputs, y in batches]).mean().item()


def _mean_loss_summed(replay: Replay, model: nn.Module, loss_fn: Callable, batches: Batches) -> float:
    losses = [loss_fn(model(inputs), y).item() for inputs, y in batches]
    return math.fsum(losses) / len(losses)


task_gradients = program_reference(
    "task_gradients", _task_gradients, AUTOGRAD, _task_gradients_numeric, "central differences of each loss"
)
push_towards = program_reference(
    "push_towards", _push_towards, AUTOGRAD, _push_towards_numeric, "steps along central differences"
)
pick_many = Reference(
    shown_by("PickMany", _PickManyComposed),
    "autograd in float64, element by element",
    shown_by("PickMany", _PickManyByMatrix),
    "a matrix of zeros and ones in NumPy",
)
sample_gradient_norms = program_reference(
    "sample_gradient_norms",
    _sample_gradient_norms,
    "autograd in float64, sample by sample",
    _sample_norms_closed,
    "closed form in NumPy: an outer product",
)
damped_tanh = program_reference(
    "damped_tanh", _damped_tanh, "autograd through a product", _damped_tanh_closed, "closed form from exponentials"
)
distance = program_reference(
    "distance",
    _distance,
    "torch's own norm, by autograd",
    lambda replay, a, b: Carried.apply(_distances, a, b),
    "closed form in NumPy, row by row",
)
ridge_loss = program_reference(
    "ridge_loss",
    _ridge_loss,
    AUTOGRAD,
    lambda replay, w, inputs, y, strength: Carried.apply(_ridge(strength), w, inputs, y),
    "closed form in NumPy",
)
mean_loss = program_reference(
    "mean_loss", _mean_loss, "without a graph, stacked", _mean_loss_summed, "Python floats, summed exactly"
)
