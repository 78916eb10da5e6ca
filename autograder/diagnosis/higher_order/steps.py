"""Mistakes of gradient_through_a_step."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.higher_order.shared import marked, mistakes_of
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.higher_order.by_autograd import (
    gradient_of,
    gradient_through_a_step,
    hessian_vector_product,
)

Function = Callable[[torch.Tensor], torch.Tensor]
_step = mistakes_of("gradient_through_a_step")


def _second_order_only(w: torch.Tensor, lr: float, train: Function, val: Function) -> torch.Tensor:
    moved = w - lr * gradient_of(train, w)
    return -lr * hessian_vector_product(train, w, gradient_of(val, moved))


def _first_order(w: torch.Tensor, lr: float, train: Function, val: Function) -> torch.Tensor:
    return gradient_of(val, w - lr * gradient_of(train, w))


def _curved_there(w: torch.Tensor, lr: float, train: Function, val: Function) -> torch.Tensor:
    moved = w - lr * gradient_of(train, w)
    there = gradient_of(val, moved)
    return there - lr * hessian_vector_product(train, moved, there)


def _by_lr(w: torch.Tensor, lr: float, train: Function, val: Function) -> torch.Tensor:
    gradient = gradient_of(train, w)
    return -(gradient_of(val, w - lr * gradient) * gradient).sum()


GRADIENT_THROUGH_A_STEP = (
    *marked("gradient_through_a_step", gradient_through_a_step, place=0),
    *_step(
        "the first-order part only",
        "This is the gradient of val at the new point. The step's own gradient moves too when w does, and that part is "
        "missing. See lesson 08, “Through a step of training”.",
        _first_order,
    ),
    *_step(
        "the second-order part only",
        "This is what comes back through the step's gradient. w is also where the step starts from, and that path is "
        "missing.",
        _second_order_only,
    ),
    *_step(
        "val at the old point",
        "This is the gradient of val at w, as if no step had been made.",
        lambda w, lr, train, val: gradient_of(val, w),
    ),
    *_step(
        "uphill",
        "The step was made uphill, along the gradient of train. Descent goes against it.",
        lambda w, lr, train, val: gradient_through_a_step(w, -lr, train, val),
    ),
    *_step(
        "lr forgotten",
        "The step was made as if lr were 1.",
        lambda w, lr, train, val: gradient_through_a_step(w, 1.0, train, val),
    ),
    *_step(
        "train and val exchanged",
        "The step was made on val, and train was differentiated behind it.",
        lambda w, lr, train, val: gradient_through_a_step(w, lr, val, train),
    ),
    *_step(
        "train differentiated",
        "`val` was not used: this is the gradient of train, at w or behind the step.",
        lambda w, lr, train, val: gradient_of(train, w),
        lambda w, lr, train, val: gradient_through_a_step(w, lr, train, train),
    ),
    *_step(
        "the curvature of the new point",
        "The second-order part was computed with the curvature of train behind the step. Where was the step's gradient "
        "taken?",
        _curved_there,
    ),
    *_step(
        "with respect to lr",
        "This is one number, the derivative with respect to lr. Asked for is the one with respect to w.",
        _by_lr,
    ),
    *_step(
        "the new point itself",
        "This is w after the step. It is not differentiated yet.",
        lambda w, lr, train, val: w - lr * gradient_of(train, w),
    ),
    Mistake(
        "w no longer in the graph",
        "`val` was computed from a tensor that no path connects with your leaf: `detach`, `no_grad`, `.data` or a new "
        "leaf stands between them. A step made of plain operations keeps the path.",
        raises="RuntimeError: (element \\d+ of tensors does not require grad"
        "|.* appears? to not have been used in the graph)",
    ),
)
