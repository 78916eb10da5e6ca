"""Mistakes of unbroadcast."""

from __future__ import annotations

from collections.abc import Callable

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


def _of_no_axes(front: bool, stretched: bool) -> Callable:
    """Right but for torch's reading of an empty tuple of axes, which is all of them; in one sum, or in both."""

    def implementation(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
        count = gradient.dim() - len(shape)
        axes = tuple(axis for axis, size in enumerate(shape) if size == 1)
        gradient = gradient.sum(tuple(range(count))) if front or count else gradient
        return gradient.sum(axes, keepdim=True) if stretched or axes else gradient

    return implementation


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


def _mistake(name: str, sentence: str, implementation: Callable[[torch.Tensor, Shape], torch.Tensor]) -> Mistake:
    def predicting(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
        try:
            return implementation(gradient, shape)
        except IndexError as error:  # an axis is asked for that is gone: this mistake has no answer here
            raise ArithmeticError from error

    return Mistake(name, sentence, under("unbroadcast", predicting))


LOST = (
    "An axis of size 1 was summed and has disappeared, so the result has too few axes. An option of `sum` keeps a "
    "summed axis with size 1."
)
NO_AXES = (
    "Everything was added up into one number. `sum` does that where it is given no axes, and where the tuple or list "
    "of axes is empty."
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
    _mistake("an empty list of axes", NO_AXES, _of_no_axes(front=True, stretched=True)),
    _mistake("an empty list of axes", NO_AXES, _of_no_axes(front=False, stretched=True)),
    _mistake("an empty list of axes", NO_AXES, _of_no_axes(front=True, stretched=False)),
    Mistake("an empty list of axes", NO_AXES, raises=r"RuntimeError: shape '.*' is invalid for input of size 1$"),
    Mistake(
        "numbers left over",
        "`reshape` arranges numbers and adds up none; there are more of them than `shape` has room for. Which axes are "
        "not summed yet?",
        raises=r"RuntimeError: shape '.*' is invalid for input of size (?!1$)\d+",
    ),
    Mistake(
        "an axis that is not there",
        "An axis was asked for that the tensor does not have, or no longer has: a sum without `keepdim` drops its "
        "axes, and one over an empty tuple of axes drops them all.",
        raises="IndexError: Dimension out of range",
    ),
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
