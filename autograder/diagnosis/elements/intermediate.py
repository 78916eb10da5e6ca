"""Mistakes of intermediate_element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from autograder.diagnosis.elements.single_elements import NOT_IN_THE_GRAPH, OUT_OF_BOUNDS, numbers_from
from autograder.diagnosis.hypothesis import Mistake

Function = Callable[[torch.Tensor], torch.Tensor]


def _leaf(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.detach().clone().requires_grad_()


def _changed(change: Callable[[torch.Tensor, int], Any]) -> Callable:
    """An implementation that makes `change(gradient, i)` of the right gradient of h."""

    def implementation(f: Function, g: Function, x: torch.Tensor, i: int) -> Any:
        h = _leaf(f(x))
        return change(torch.autograd.grad(g(h), h)[0], i)

    return implementation


def _of_x(f: Function, g: Function, x: torch.Tensor, i: int) -> torch.Tensor:
    leaf = _leaf(x)
    return torch.autograd.grad(g(f(leaf)), leaf)[0][i]


def _of_f(f: Function, g: Function, x: torch.Tensor, i: int) -> torch.Tensor:
    leaf = _leaf(x)
    return torch.autograd.grad(f(leaf)[i], leaf)[0][i]


def _called_twice(f: Function, g: Function, x: torch.Tensor, i: int) -> torch.Tensor:
    f(x)
    return _changed(lambda gradient, i: gradient[i])(f, g, x, i)


def _marked(f: Function, g: Function, x: torch.Tensor, i: int) -> torch.Tensor:
    h = f(x.requires_grad_())
    return torch.autograd.grad(g(h), h)[0][i]


def _marked_as_h(f: Function, g: Function, x: torch.Tensor, i: int) -> torch.Tensor:
    h = f(x).requires_grad_()
    return torch.autograd.grad(g(h), h)[0][i]


def _by_backward(f: Function, g: Function, x: torch.Tensor, i: int) -> torch.Tensor:
    h = f(_leaf(x))
    h.retain_grad()
    g(h).backward()
    return h.grad[i]


def _by_backward_on_the_callers(f: Function, g: Function, x: torch.Tensor, i: int) -> torch.Tensor:
    h = f(x.requires_grad_())
    h.retain_grad()
    g(h).backward()
    return h.grad[i]


def _by_backward_cut(f: Function, g: Function, x: torch.Tensor, i: int) -> torch.Tensor:
    h = _leaf(f(x))
    g(h).backward()
    return h.grad[i]


def _cleared(implementation: Callable) -> Callable:
    def cleared(f: Function, g: Function, x: torch.Tensor, i: int) -> torch.Tensor:
        found = implementation(f, g, x, i)
        for model in (f, g):
            if isinstance(model, nn.Module):
                model.zero_grad()
        return found

    return cleared


def _mistake(name: str, sentence: str, implementation: Callable) -> Mistake:
    return Mistake(name, sentence, numbers_from("intermediate_element", implementation))


BACKWARD = (
    "`backward()` fills the `.grad` of every leaf on its way, the parameters of the caller's models among them. Which "
    "function only returns gradients?"
)
CLEARED = (
    "A parameter had something in its `.grad` before the call, and it is gone. The caller may be in the middle "
    "of a training step."
)
MARKED = "`requires_grad` was switched on for the caller's own tensor. Make a leaf of your own, of `x` or of `h`."
INTERMEDIATE_ELEMENT = (
    _mistake(
        "with respect to x",
        "This is what happens to `g(f(x))` when `x[i]` moves. An element of `h` is asked about, however it was made.",
        _of_x,
    ),
    _mistake(
        "h computed twice",
        "The number is right, and `f` ran more than once. A second call makes another tensor with the same numbers; "
        "keep the first.",
        _called_twice,
    ),
    Mistake(
        "a new tensor asked about",
        "A gradient was asked for with respect to a tensor that `g` was not given. `f(x)` called again and `h[i]` "
        "written again are new tensors.",
        raises=NOT_IN_THE_GRAPH,
    ),
    _mistake(
        "the whole gradient",
        "The gradient holds one number for each element of `h`. One of them is asked for.",
        _changed(lambda gradient, i: gradient),
    ),
    _mistake(
        "the gradient summed",
        "The derivatives with respect to all elements of `h` were added up. One of them is asked for.",
        _changed(lambda gradient, i: gradient.sum()),
    ),
    _mistake(
        "f differentiated",
        "This is a derivative of `f`: how `h[i]` moves with `x`. Asked for is how `g(h)` moves with `h[i]`.",
        _of_f,
    ),
    _mistake("backward instead of grad", BACKWARD, _by_backward),
    _mistake("backward instead of grad", BACKWARD, _by_backward_cut),
    _mistake("backward instead of grad", BACKWARD, _by_backward_on_the_callers),
    _mistake("parameters' .grad cleared", CLEARED, _cleared(_by_backward)),
    _mistake("the caller's x marked", MARKED, _marked),
    _mistake("the caller's x marked", MARKED, _marked_as_h),
    _mistake(
        "another element's derivative",
        "This is the derivative with respect to the element before. Elements are counted from 0, as in Python.",
        _changed(lambda gradient, i: gradient.roll(1)[i]),
    ),
    OUT_OF_BOUNDS,
)
