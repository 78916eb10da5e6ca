"""Mistakes of sample_gradient_norms."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import as_found, mistakes_of

_mistake = mistakes_of("sample_gradient_norms")
Norm = Callable[[torch.Tensor], torch.Tensor]


def _losses(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return functional.cross_entropy(model(inputs), y, reduction="none")


def _each(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """(batch, classes, features)."""
    losses = _losses(model, inputs, y)
    return torch.stack([torch.autograd.grad(loss, model.weight, retain_graph=True)[0] for loss in losses])


def _by(norm: Norm) -> Callable[..., torch.Tensor]:
    """Right gradients, and another number of each."""
    return lambda model, inputs, y: torch.stack([norm(gradient) for gradient in _each(model, inputs, y)])


_right = _by(torch.norm)


def _with_ones(dim: int) -> Callable[..., torch.Tensor]:
    def implementation(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        (summed,) = torch.autograd.grad(_losses(model, inputs, y).sum(), model.weight)
        return summed.norm(dim=dim)

    return implementation


def _of_the_batch(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad(_losses(model, inputs, y).sum(), model.weight)[0].norm()


def _of_the_batch_repeated(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return _of_the_batch(model, inputs, y).expand(len(y))


def _in_the_input(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    leaf = inputs.clone().requires_grad_()
    return torch.autograd.grad(_losses(model, leaf, y).sum(), leaf)[0].norm(dim=1)


def _in_the_scores(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    scores = model(inputs).detach().requires_grad_()
    loss = functional.cross_entropy(scores, y, reduction="sum")
    return torch.autograd.grad(loss, scores)[0].norm(dim=1)


def _with_bias(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    norms = []
    for loss in _losses(model, inputs, y):
        parts = torch.autograd.grad(loss, list(model.parameters()), retain_graph=True)
        norms.append(torch.cat([part.flatten() for part in parts]).norm())
    return torch.stack(norms)


def _filling(cleared: bool) -> Callable[..., torch.Tensor]:
    def implementation(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        norms = []
        for loss in _losses(model, inputs, y):
            model.zero_grad()
            loss.backward(retain_graph=True)
            norms.append(model.weight.grad.norm())
        if cleared:
            model.zero_grad()
        return torch.stack(norms)

    return implementation


def _added_up(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.stack([total.norm() for total in _each(model, inputs, y).cumsum(0)])


def _of_the_scores(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return inputs.norm(dim=1)


SAMPLE_GRADIENT_NORMS = (
    *_mistake(
        "as given: a norm for each class",
        "There are as many norms as classes, and samples were asked for. Change one sample and see which entries move. "
        "See lesson 11, “A gradient for each sample”.",
        _with_ones(1),
    ),
    *_mistake(
        "a norm for each feature",
        "There are as many norms as features, and samples were asked for: all samples' gradients had been added up "
        "before the norm was taken.",
        _with_ones(0),
    ),
    *_mistake(
        "one norm for the batch",
        "This is the norm of all samples' gradients together. Gradients that point in different directions cancel in "
        "that sum.",
        _of_the_batch,
        _of_the_batch_repeated,
        lambda model, inputs, y: _of_the_batch(model, inputs, y) / len(y),
    ),
    *_mistake(
        "parameters' gradients changed",
        "The norms are right, and `.grad` of the model's parameters is not what it was. Which function returns "
        "gradients and stores none?",
        _filling(False),
        _filling(True),
    ),
    *as_found("sample_gradient_norms", _right)[:1],
    *_mistake(
        "each holds those before it",
        "The first norm is right. Each later one is that of all gradients so far. What was still stored?",
        _added_up,
    ),
    *_mistake(
        "gradient in the input",
        "Each sample's gradient was taken with respect to the sample. Asked for is that of `model.weight`.",
        _in_the_input,
    ),
    *_mistake(
        "gradient in the scores",
        "Each sample's gradient was taken with respect to its class scores. One more factor leads to `model.weight`.",
        _in_the_scores,
    ),
    *_mistake(
        "bias counted too",
        "The bias's gradient is part of these norms. Only that of `model.weight` counts.",
        _with_bias,
    ),
    *_mistake(
        "a norm for each sample and class",
        "Each sample has several norms, one for each class. Its gradient is one matrix with one norm, of all entries "
        "together.",
        lambda model, inputs, y: _each(model, inputs, y).norm(dim=2),
    ),
    *_mistake(
        "a norm for each sample and feature",
        "Each sample has several norms, one for each feature. Its gradient is one matrix with one norm, of all entries "
        "together.",
        lambda model, inputs, y: _each(model, inputs, y).norm(dim=1),
    ),
    *_mistake(
        "sizes added up",
        "The sizes of the gradient's entries were added up. Its Euclidean norm is the root of the sum of the squares.",
        _by(lambda gradient: gradient.abs().sum()),
    ),
    *_mistake(
        "largest entry",
        "This is the largest entry of each gradient. Its Euclidean norm is the root of the sum of the squares.",
        _by(lambda gradient: gradient.abs().max()),
    ),
    *_mistake("root forgotten", "These are the squares of the norms.", _by(lambda gradient: (gradient**2).sum())),
    *_mistake(
        "divided by the batch",
        "Each norm is too small by the number of samples: the losses were averaged first. A sample's loss is its own.",
        lambda model, inputs, y: _right(model, inputs, y) / len(y),
    ),
    *_mistake(
        "the input's norm alone",
        "These are the norms of the samples. How wrong the classifier is about each counts too.",
        _of_the_scores,
    ),
    Mistake(
        "a loss without its batch axis",
        "A sample was handed on without its batch axis, or its class without one. `[i : i + 1]` keeps the axis.",
        raises="(RuntimeError|ValueError|IndexError): (Expected (floating|input batch|target)|size mismatch"
        "|Dimension out)",
    ),
)
