"""Mistakes of gradient_of_vector."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under


def _rows(y: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """The gradient of each element of y, one after the other."""
    return torch.stack([torch.autograd.grad(one, x, retain_graph=True)[0] for one in y.reshape(-1)])


def _of_sum(y: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad(y.sum(), x, retain_graph=True)[0]


def _of_sum_times(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    if y.dim() and x.shape != y.shape:
        raise ValueError("torch refuses, or makes a tensor of a third shape")
    return _of_sum(y, x) * upstream


def _weighted_rows(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    return _rows(y, x) * upstream.reshape(-1, *[1] * x.dim())


def _by_backward(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor | None:
    y.backward(upstream)
    return x.grad


def _by_backward_retaining(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor | None:
    x.retain_grad()
    return _by_backward(y, x, upstream)


def _mistake(name: str, sentence: str, implementation: Callable, raises: str = "") -> Mistake:
    return Mistake(name, sentence, under("gradient_of_vector", implementation), raises)


GRADIENT_OF_VECTOR = (
    _mistake(
        "y summed",
        "This is the gradient of `y.sum()`, in which every element counts as 1. `upstream` says how much each counts.",
        lambda y, x, upstream: _of_sum(y, x),
    ),
    _mistake(
        "multiplied after the pass",
        "`upstream` weighs elements of y, and it met a gradient, which has the shape of x. On which side of the "
        "backward pass do the weights belong?",
        _of_sum_times,
        raises="RuntimeError: The size of tensor a \\(\\d+\\) must match",
    ),
    _mistake(
        "the weights' sum",
        "This is the gradient of `y.sum()` times the sum of the weights. Each element of y has a weight of its own.",
        lambda y, x, upstream: _of_sum(y, x) * upstream.sum(),
    ),
    _mistake(
        "weighted rows not added up",
        "This holds a row for each element of y, already weighted. What reaches x is one tensor of its shape.",
        _weighted_rows,
    ),
    _mistake(
        "the whole Jacobian",
        "This is the table of all partials, before any weight. Multiplied with `upstream` it leaves a tensor like x.",
        lambda y, x, upstream: _rows(y, x).reshape(*y.shape, *x.shape),
    ),
    _mistake(
        "only the first element of y",
        "This is what the first element of y contributes. Every element has a gradient and a weight.",
        lambda y, x, upstream: _weighted_rows(y, x, upstream)[0],
    ),
    _mistake(
        "only the last element of y",
        "This is what the last element of y contributes. Every element has a gradient and a weight, and they add up.",
        lambda y, x, upstream: _weighted_rows(y, x, upstream)[-1],
    ),
    _mistake(
        "a mean where the sum belongs",
        "Each number is too small by the number of elements of y. The weighted gradients are added up, not averaged.",
        lambda y, x, upstream: _weighted_rows(y, x, upstream).mean(0),
    ),
    _mistake(
        "backward instead of grad",
        "`backward()` stores what reaches the leaves in `.grad`, where it stays, and keeps nothing for inner nodes. "
        "Which function only returns gradients?",
        _by_backward,
    ),
    _mistake(
        "backward instead of grad",
        "`backward()` stores what reaches x in `.grad`, where it stays. Which function only returns gradients?",
        _by_backward_retaining,
    ),
    Mistake(
        "a dot product of vectors only",
        "A product of matrices was formed, or refused. y and `upstream` may have any shape; what is needed goes "
        "element by element.",
        raises="(dot|matmul|mat1|1D tensors expected|size mismatch|multiplied)",
    ),
)
