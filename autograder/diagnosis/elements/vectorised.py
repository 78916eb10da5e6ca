"""Mistakes of vectorised_element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis.elements.single_elements import BACKWARD, CLEARED, OUT_OF_BOUNDS, numbers_from
from autograder.diagnosis.hypothesis import Mistake


def _closed(change: Callable[[torch.Tensor, torch.Tensor, torch.Tensor, int], Any]) -> Callable:
    """An implementation in closed form: `change(s, x, w, i)` with s the sum of the products."""
    return lambda x, w, i: change((x.detach() * w).sum(), x.detach(), w, i)


def _three_passes(on_the_callers: bool, cleared: bool = False) -> Callable:
    """The program that circulates: all, the "isolated" element, all again."""

    def implementation(x: torch.Tensor, w: torch.Tensor, i: int) -> torch.Tensor:
        if cleared:
            x.grad = None
        leaf = x.requires_grad_() if on_the_callers else x.detach().clone().requires_grad_()
        ((leaf * w).sum() ** 2).backward()
        ((leaf[i] * w[i]) ** 2).backward()
        ((leaf * w).sum() ** 2).backward()
        return leaf.grad[i].clone()

    return implementation


def _by_backward(before: bool = False, after: bool = False) -> Callable:
    """By backward() on the caller's tensor, its `.grad` cleared before or after."""

    def implementation(x: torch.Tensor, w: torch.Tensor, i: int) -> torch.Tensor:
        if before:
            x.grad = None
        x.requires_grad_()
        ((x * w).sum() ** 2).backward()
        found = x.grad[i].clone()
        if after:
            x.grad = None
        return found

    return implementation


def _marked(x: torch.Tensor, w: torch.Tensor, i: int) -> torch.Tensor:
    x.requires_grad_()
    return torch.autograd.grad((x * w).sum() ** 2, x)[0][i]


def _mistake(name: str, sentence: str, implementation: Callable) -> Mistake:
    return Mistake(name, sentence, numbers_from("vectorised_element", implementation))


ADDED_UP = (
    "Several backward passes were added up, that of the element alone among them. Element `i` was right after the "
    "first. See lesson 05, “Passes that add up”."
)
ONE_PRODUCT = (
    "Only the element's own product `x[i] * w[i]` was squared. The square is taken of the sum, to which all elements "
    "contribute."
)
VECTORISED_ELEMENT = (
    _mistake("passes added up", ADDED_UP, _three_passes(on_the_callers=False)),
    _mistake("passes added up", ADDED_UP, _three_passes(on_the_callers=True)),
    _mistake("passes added up", ADDED_UP, _three_passes(on_the_callers=True, cleared=True)),
    _mistake(
        "the weight's gradient",
        "This is the derivative with respect to `w[i]`. Which of the two factors moves?",
        _closed(lambda s, x, w, i: 2 * s * x[i]),
    ),
    _mistake(
        "the outer square forgotten",
        "This is the derivative of the sum alone. The sum is squared, and the square has a slope of its own.",
        _closed(lambda s, x, w, i: w[i]),
    ),
    _mistake(
        "the 2 of the square lost",
        "The result is half of what it should be. What is the slope of a square?",
        _closed(lambda s, x, w, i: s * w[i]),
    ),
    _mistake(
        "the inner derivative forgotten",
        "This is the slope of the square at the sum. When `x[i]` moves, by how much does the sum move?",
        _closed(lambda s, x, w, i: 2 * s),
    ),
    _mistake("one product squared", ONE_PRODUCT, _closed(lambda s, x, w, i: 2 * x[i] * w[i] ** 2)),
    _mistake(
        "the whole gradient",
        "The gradient holds one number for each element of `x`. One of them is asked for.",
        _closed(lambda s, x, w, i: 2 * s * w),
    ),
    _mistake("backward instead of grad", BACKWARD, _by_backward()),
    _mistake("x.grad cleared", CLEARED, _by_backward(before=True)),
    _mistake("x.grad cleared", CLEARED, _by_backward(before=True, after=True)),
    _mistake("x.grad cleared", CLEARED, _by_backward(after=True)),
    _mistake(
        "the caller's x marked",
        "`requires_grad` was switched on for the caller's own tensor. Make a leaf of your own with its numbers.",
        _marked,
    ),
    _mistake(
        "another element's derivative",
        "This is the derivative with respect to the element before. Elements are counted from 0, as in Python.",
        _closed(lambda s, x, w, i: 2 * s * w.roll(1)[i]),
    ),
    OUT_OF_BOUNDS,
)
