"""Mistakes of unbroadcast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Shape = tuple[int, ...]


def _reduced(reduce: Callable[..., torch.Tensor]) -> Callable:
    """The right axes, with `reduce(gradient, axis, keepdim)` in place of their sum."""

    def implementation(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
        for _ in range(gradient.dim() - len(shape)):
            gradient = reduce(gradient, 0, False)
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = reduce(gradient, axis, True)
        return gradient

    return implementation


def _first(gradient: torch.Tensor, axis: int, keepdim: bool) -> torch.Tensor:
    return gradient.narrow(axis, 0, 1) if keepdim else gradient.select(axis, 0)


def _front_only(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    for _ in range(gradient.dim() - len(shape)):
        gradient = gradient.sum(0)
    return gradient


def _stretched_only(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    front = gradient.dim() - len(shape)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(front + axis, keepdim=True)
    return gradient


def _without_keeping(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    front = gradient.dim() - len(shape)
    axes = [*range(front), *(front + axis for axis, size in enumerate(shape) if size == 1)]
    return gradient.sum(axes) if axes else gradient


def _keeping_all(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    front = gradient.dim() - len(shape)
    axes = [*range(front), *(front + axis for axis, size in enumerate(shape) if size == 1)]
    return gradient.sum(axes, keepdim=True) if axes else gradient


def _of_no_axes(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    """Right but for torch's reading of an empty list of axes: all of them."""
    front = gradient.dim() - len(shape)
    gradient = gradient.sum(tuple(range(front)))
    axes = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return gradient.sum(axes, keepdim=True) if gradient.dim() == len(shape) else gradient


def _of_no_stretched_axes(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    """The same, with the axes in front summed one by one."""
    axes = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return _front_only(gradient, shape).sum(axes, keepdim=True)


def _of_no_axes_in_front(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    """The same, with the stretched axes summed one by one; the front is the trap."""
    return _stretched_only(gradient, shape).sum(tuple(range(gradient.dim() - len(shape))))


def _at_once(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    front = gradient.dim() - len(shape)
    axes = tuple(k for k in range(gradient.dim()) if k < front or shape[k - front] == 1)
    return gradient.sum(axes, keepdim=True).reshape(shape)


def _shifting(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    """Axis 0, then axis 1 of what is left, which was axis 2."""
    for axis in range(gradient.dim() - len(shape)):
        gradient = gradient.sum(axis)
    return _stretched_only(gradient, shape)


def _shifting_stretched(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    gradient = _front_only(gradient, shape)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis)
    return gradient


def _from_the_left(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis, keepdim=True)
    while gradient.dim() > len(shape):
        gradient = gradient.sum(-1)
    return gradient


def _mistake(name: str, sentence: str, implementation: Any) -> Mistake:
    return Mistake(name, sentence, under("unbroadcast", implementation))


LOST = (
    "An axis of size 1 was summed and has disappeared, so the result has too few axes. An option of `sum` keeps a "
    "summed axis with size 1."
)
NO_AXES = (
    "With an empty tuple or list of axes, `sum` adds up everything. What should happen where no axis was added, or "
    "none was stretched?"
)
SHIFTED = "The wrong axis was summed: after one sum that drops its axis, all axes behind it have moved up by one place."
UNBROADCAST = (
    _mistake(
        "mean",
        "Averages stand where sums belong. An element that was copied takes part once for each copy.",
        _reduced(torch.mean),
    ),
    _mistake(
        "leading axes only",
        "The axes in front were summed, the stretched ones were not. What happened where `shape` has a 1?",
        _front_only,
    ),
    _mistake(
        "stretched axes only",
        "The stretched axes were summed, and those that `shape` lacks are still there. Broadcasting put them in front.",
        _stretched_only,
    ),
    _mistake("size-1 axes lost", LOST, _without_keeping),
    _mistake("size-1 axes lost", LOST, _shifting_stretched),
    _mistake("an empty list of axes", NO_AXES, _of_no_axes),
    _mistake("an empty list of axes", NO_AXES, _of_no_stretched_axes),
    _mistake("an empty list of axes", NO_AXES, _of_no_axes_in_front),
    _mistake("an empty list of axes", NO_AXES, _at_once),
    _mistake("axes shifted", SHIFTED, _shifting),
    _mistake(
        "axes in front kept",
        "The sums are right, and the axes that `shape` lacks are still there with size 1.",
        _keeping_all,
    ),
    _mistake(
        "aligned from the left",
        "Shapes were compared from the left. Broadcasting compares them from the right, so missing axes are those in "
        "front.",
        _from_the_left,
    ),
    _mistake(
        "one copy taken",
        "The gradient of one copy was taken and the others dropped. Each copy of an element adds its share.",
        _reduced(_first),
    ),
    _mistake(
        "everything summed",
        "All numbers were added up. Only axes along which an element was copied are summed.",
        lambda gradient, shape: gradient.sum().expand(shape),
    ),
)
