"""unbroadcast: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

Shape = tuple[int, ...]


def _front_only(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    for _ in range(gradient.dim() - len(shape)):
        gradient = gradient.sum(0)
    return gradient


def _of_no_axes(front: bool, stretched: bool) -> Callable:
    """Right but for torch's reading of an empty tuple of axes, which is all of them; in one sum, or in both."""

    def implementation(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
        count = gradient.dim() - len(shape)
        axes = tuple(axis for axis, size in enumerate(shape) if size == 1)
        gradient = gradient.sum(tuple(range(count))) if front or count else gradient
        return gradient.sum(axes, keepdim=True) if stretched or axes else gradient

    return implementation


def _shifting_stretched(gradient: torch.Tensor, shape: Shape) -> torch.Tensor:
    gradient = _front_only(gradient, shape)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis)
    return gradient


@mistake(
    "mean instead of sum", "You took means where sums belong. An element that was copied takes part once for each copy."
)
def averaged():
    def unbroadcast(gradient, shape):
        while gradient.dim() > len(shape):
            gradient = gradient.mean(0)
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.mean(axis, keepdim=True)
        return gradient


@mistake(
    "leading axes only",
    "You summed the leading axes, but not the stretched axes. What happened where `shape` has a 1?",
    loses=("stretched axes", "both kinds at once"),
)
def only_in_front():
    def unbroadcast(gradient, shape):
        for _ in range(gradient.dim() - len(shape)):
            gradient = gradient.sum(0)
        return gradient


@mistake(
    "stretched axes only",
    "You summed the stretched axes, but the axes that `shape` lacks are still there. Broadcasting put them in front.",
    loses=("axes in front", "both kinds at once"),
)
def only_stretched():
    def unbroadcast(gradient, shape):
        extra = gradient.dim() - len(shape)
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis + extra, keepdim=True)
        return gradient


known(
    Mistake(
        "size-1 axes lost",
        "An axis of size 1 was summed and has disappeared, so the result has too few axes. Either `sum` was not "
        "told to keep it, for which it has an option, or a later line such as `squeeze()` removed it.",
        _shifting_stretched,
    ),
    Mistake(
        "sum over empty axes",
        "Everything was added up into one number. `sum` does that when it gets no axes, and also when the tuple or "
        "list of axes is empty.",
        _of_no_axes(front=True, stretched=True),
        _of_no_axes(front=True, stretched=False),
        raises=r"RuntimeError: shape '.*' is invalid for input of size 1$",
    ),
)


@wrong("size-1 axes lost", predicts=True, loses=("stretched axes", "both kinds at once"))
def keepdim_forgotten():
    def unbroadcast(gradient, shape):
        extra = gradient.dim() - len(shape)
        axes = list(range(extra)) + [extra + k for k, size in enumerate(shape) if size == 1]
        for axis in reversed(axes):
            gradient = gradient.sum(axis)
        return gradient


@wrong("sum over empty axes")
def all_axes_at_once():
    def unbroadcast(gradient, shape):
        extra = gradient.dim() - len(shape)
        axes = [k for k in range(gradient.dim()) if k < extra or shape[k - extra] == 1]
        return gradient.sum(axes, keepdim=True).reshape(shape)


@wrong("sum over empty axes", predicts=True)
def a_list_of_stretched_axes():
    def unbroadcast(gradient, shape):
        while gradient.dim() > len(shape):
            gradient = gradient.sum(0)
        return gradient.sum([k for k, size in enumerate(shape) if size == 1], keepdim=True)


@mistake(
    "reshape without summing",
    "`reshape` rearranges numbers and never adds them up, and there are not as many as `shape` needs. Which "
    "axes have not been summed?",
    raises=r"RuntimeError: shape '.*' is invalid for input of size (?!1$)\d+",
    loses=("axes in front", "both kinds at once"),
)
def reshaped_to_fit():
    def unbroadcast(gradient, shape):
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis, keepdim=True)
        return gradient.reshape(shape)


@mistake(
    "axis out of range",
    "You named an axis that the tensor does not have, or no longer has: a sum without `keepdim` drops its axes, "
    "and one over an empty tuple of axes drops them all.",
    raises="IndexError: Dimension out of range",
)
def two_lists_of_axes():
    def unbroadcast(gradient, shape):
        gradient = gradient.sum(tuple(range(gradient.dim() - len(shape))))
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis, keepdim=True)
        return gradient


@wrong("axis out of range")
def keepdim_forgotten_and_counted_on():
    def unbroadcast(gradient, shape):
        while gradient.dim() > len(shape):
            gradient = gradient.sum(0)
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis)
        return gradient


@mistake(
    "axes shifted",
    "You summed the wrong axis: after a sum that drops its axis, every later axis has a number one lower.",
    loses=("axes in front", "both kinds at once"),
)
def summed_by_number():
    def unbroadcast(gradient, shape):
        for axis in range(gradient.dim() - len(shape)):
            gradient = gradient.sum(axis)
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis, keepdim=True)
        return gradient


@mistake(
    "leading axes kept",
    "The sums are right, but the axes that `shape` lacks are still there with size 1.",
    loses=("axes in front", "both kinds at once"),
)
def everything_kept():
    def unbroadcast(gradient, shape):
        padded = (1,) * (gradient.dim() - len(shape)) + tuple(shape)
        for axis, size in enumerate(padded):
            if size == 1:
                gradient = gradient.sum(axis, keepdim=True)
        return gradient


@mistake(
    "aligned from the left",
    "You compared the shapes from the left. Broadcasting compares them from the right, so the missing axes are the "
    "leading ones.",
)
def from_the_left():
    def unbroadcast(gradient, shape):
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis, keepdim=True)
        while gradient.dim() > len(shape):
            gradient = gradient.sum(-1)
        return gradient


@mistake(
    "copies dropped",
    "You took the gradient of one copy and dropped the others. Each copy of an element adds its share.",
)
def the_first_copy():
    def unbroadcast(gradient, shape):
        while gradient.dim() > len(shape):
            gradient = gradient[0]
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.narrow(axis, 0, 1)
        return gradient


@mistake("everything summed", "You added up all numbers. Sum only over axes along which an element was copied.")
def one_sum():
    def unbroadcast(gradient, shape):
        return gradient.sum() * gradient.new_ones(shape)


@wrong("not attempted")
def unbroadcast_not_attempted():
    def unbroadcast(gradient, shape):
        raise NotImplementedError  # your code here


@wrong("another dtype")
def made_of_float32():
    def unbroadcast(gradient, shape):
        return gradient.sum_to_size(shape).float()


@right
def by_sum_to_size():
    def unbroadcast(gradient, shape):
        return gradient.sum_to_size(shape)


@right
def all_at_once():
    def unbroadcast(gradient, shape):
        extra = gradient.dim() - len(shape)
        axes = [k for k in range(gradient.dim()) if k < extra or shape[k - extra] == 1]
        return gradient.sum(axes).reshape(shape) if axes else gradient


@right
def by_autograd():
    import torch

    def unbroadcast(gradient, shape):
        small = torch.zeros(shape, dtype=gradient.dtype, requires_grad=True)
        torch.broadcast_to(small, gradient.shape).backward(gradient)
        return small.grad


@right
def only_what_was_stretched():
    def unbroadcast(gradient, shape):
        result = gradient.clone()
        while len(result.shape) > len(shape):
            result = result.sum(dim=0)
        for axis in range(len(shape)):
            if shape[axis] != result.shape[axis]:
                result = result.sum(dim=axis).unsqueeze(axis)
        return result
