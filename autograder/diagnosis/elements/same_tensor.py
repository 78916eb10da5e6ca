"""Mistakes of same_tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis.elements.single_elements import BACKWARD, CLEARED, NOT_IN_THE_GRAPH, numbers_from
from autograder.diagnosis.hypothesis import Mistake


def _changed(change: Callable[..., Any], t: Callable[..., Any] | None = None) -> Callable:
    """The right t, or `t(t0, t1)`, with `change(x, t0, t1, stacked)` for d."""

    def implementation(x: torch.Tensor) -> tuple:
        t0 = 2 * x
        t1 = t0**2
        stacked = torch.stack([t0, t1])
        return stacked if t is None else t(t0, t1), change(x, t0, t1, stacked)

    return implementation


def _grad(output: torch.Tensor, node: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad(output, node, retain_graph=True)[0]


def _right(x: torch.Tensor, t0: torch.Tensor, t1: torch.Tensor, stacked: torch.Tensor) -> torch.Tensor:
    return _grad(t1, t0)


def _by_backward(before: bool = False, after: bool = False) -> Callable:
    """By backward() from the caller's leaf, its `.grad` cleared before or after."""

    def implementation(x: torch.Tensor) -> tuple:
        if before:
            x.grad = None
        t0 = 2 * x
        t0.retain_grad()
        t1 = t0**2
        t1.backward(retain_graph=True)
        if after:
            x.grad = None
        return torch.stack([t0, t1]), t0.grad

    return implementation


def _mistake(name: str, sentence: str, implementation: Callable) -> Mistake:
    return Mistake(name, sentence, numbers_from("same_tensor", implementation))


WHOLE = (
    "`t` was asked about as a whole. It is made after both elements, so no path leads from it to `t1`. Which tensor "
    "was `t1` computed from?"
)
CUT_OFF = "One of the elements of `t` has no way back to `x`. Where was it detached, or copied as a number?"
SAME_TENSOR = (
    Mistake(
        "in-place write",
        "`t` was written into after the square had saved an element of it, and autograd watches the tensor as a whole. "
        "See lesson 05, “An element inside its own tensor”.",
        raises="RuntimeError: one of the variables needed for gradient computation has been modified",
    ),
    Mistake(
        "another tensor asked about",
        "`t1` was not computed from the tensor that you ask about. `t[0]` written again is a new one, and so is a "
        "second `2 * x`.",
        raises=NOT_IN_THE_GRAPH,
        afterwards=False,
    ),
    Mistake("one element cut off", CUT_OFF, raises=NOT_IN_THE_GRAPH, afterwards=True),
    Mistake(
        "numbers joined along an axis",
        "`torch.cat` joins tensors along an axis that they have, and a single number has none. Which operation makes a "
        "new axis?",
        raises="RuntimeError: zero-dimensional tensor .* cannot be concatenated",
    ),
    _mistake("whole-tensor gradient", WHOLE, _changed(lambda x, t0, t1, t: _grad(t[1], t)[0])),
    _mistake("whole-tensor gradient", WHOLE, _changed(lambda x, t0, t1, t: _grad(t[1], t))),
    _mistake(
        "dt1/dx",
        "`d` says how `t1` moves with `x`. Asked for is how it moves with `t0`, which already stands behind the "
        "factor 2.",
        _changed(lambda x, t0, t1, t: _grad(t1, x)),
    ),
    _mistake(
        "the elements added up",
        "The derivative of the sum of `t` was taken, so `t0`'s derivative by itself, which is 1, came on top.",
        _changed(lambda x, t0, t1, t: _grad(t.sum(), t0)),
    ),
    _mistake(
        "dt0/dx",
        "`d` is the slope of the doubling. The question is about the square: how `t1` moves with `t0`.",
        _changed(lambda x, t0, t1, t: _grad(t0, x)),
    ),
    _mistake(
        "both derivatives",
        "`d` holds two numbers. One is asked for: how `t1` moves with `t0`.",
        _changed(lambda x, t0, t1, t: torch.stack([torch.ones_like(x), _grad(t1, t0)])),
    ),
    Mistake(
        "the graph used up",
        "The question about `d` freed the graph on which `t` depends, and the program goes on to use `t`. Which option "
        "keeps the graph?",
        raises="RuntimeError: Trying to backward through the graph a second time",
    ),
    Mistake(
        "t cut off from x",
        "`t` has no way back to `x`: its numbers were copied, and the graph behind them was left. What joins tensors "
        "together with their graph?",
        raises=r"RuntimeError: element \d+ of tensors does not require grad",
    ),
    _mistake(
        "one element cut off",
        CUT_OFF,
        _changed(_right, lambda t0, t1: torch.stack([t0, t1.detach()])),
    ),
    _mistake(
        "one element cut off",
        CUT_OFF,
        _changed(_right, lambda t0, t1: torch.stack([t0.detach(), t1])),
    ),
    _mistake(
        "a list in place of a tensor",
        "`t` is a sequence of two tensors. One tensor with two elements is asked for, joined from them.",
        _changed(_right, lambda t0, t1: [t0, t1]),
    ),
    _mistake("backward instead of grad", BACKWARD, _by_backward()),
    _mistake("x.grad cleared", CLEARED, _by_backward(before=True)),
    _mistake("x.grad cleared", CLEARED, _by_backward(after=True)),
)
