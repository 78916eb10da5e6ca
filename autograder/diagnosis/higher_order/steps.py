"""Mistakes of newton_step and gradient_through_a_step."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.higher_order.shared import NOTHING_LEFT, marked, mistakes_of, row_sums, without_graph
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.higher_order.by_autograd import (
    gradient_of,
    gradient_through_a_step,
    hessian_of,
    hessian_vector_product,
    leaf_of,
    newton_step,
    next_derivative,
)

Function = Callable[[torch.Tensor], torch.Tensor]
_newton = mistakes_of("newton_step")
_step = mistakes_of("gradient_through_a_step")


def _change(f: Function, x: torch.Tensor) -> torch.Tensor:
    return newton_step(f, x) - x


def _with(invert: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Function, torch.Tensor], torch.Tensor]:
    return lambda f, x: x - invert(hessian_of(f, x)) @ gradient_of(f, x)


def _by_row_sums(f: Function, x: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    gradient = next_derivative(f(leaf), leaf)
    return x - gradient.detach() / row_sums(gradient, leaf)


def _with_graph(f: Function, x: torch.Tensor) -> torch.Tensor:
    return newton_step(f, x).requires_grad_()


def _absolute(hessian: torch.Tensor) -> torch.Tensor:
    values, vectors = torch.linalg.eigh(hessian)
    return vectors @ torch.diag(1 / values.abs()) @ vectors.mT


INVERTED = "See lesson 08, “Newton's method”."

NEWTON_STEP = (
    *marked("newton_step", newton_step),
    without_graph("The gradient was differentiated and carries no graph. Was it computed with `create_graph=True`?"),
    NOTHING_LEFT,
    *_newton(
        "inverted",
        "The numbers are right, and an inverse was computed on the way. One vector is asked for, which a system of "
        f"equations gives. {INVERTED}",
        _with(torch.linalg.inv),
        _with(torch.linalg.pinv),
    ),
    *_newton(
        "still attached",
        "The numbers are right, and the result requires a gradient, from your own leaf or from a tensor that f uses. "
        "The task asks for it detached.",
        _with_graph,
    ),
    *_newton(
        "uphill",
        "The step was made in the opposite direction. Which way does it lead from x?",
        lambda f, x: x - _change(f, x),
    ),
    *_newton(
        "the step alone",
        "This is the step, or its opposite. Asked for is where it leads: the new x.",
        _change,
        lambda f, x: -_change(f, x),
    ),
    *_newton(
        "gradient descent",
        "This is x less the gradient. The curvature, which says how far to go, was not used.",
        lambda f, x: x - gradient_of(f, x),
    ),
    *_newton(
        "multiplied by the Hessian",
        "The gradient was multiplied by the Hessian. Where the curve bends more, should the step be longer?",
        lambda f, x: x - hessian_of(f, x) @ gradient_of(f, x),
    ),
    *_newton(
        "only the diagonal",
        "Each element was divided by its own curvature. Elements pull on each other as well: the Hessian is a matrix.",
        lambda f, x: x - gradient_of(f, x) / hessian_of(f, x).diagonal(),
    ),
    *_newton(
        "row sums of the Hessian",
        "The gradient was divided by the sums of the Hessian's rows: the gradient of `gradient.sum()`. The rows "
        "themselves are needed.",
        _by_row_sums,
    ),
    *_newton(
        "curvature without its sign",
        "Curvatures were taken without their sign. Plain Newton goes to where the slope is 0, downhill or not.",
        _with(_absolute),
    ),
    *_newton(
        "more than one step",
        "This is where several steps lead. One is asked for.",
        lambda f, x: newton_step(f, newton_step(f, x)),
        lambda f, x: newton_step(f, newton_step(f, newton_step(f, x))),
    ),
    Mistake(
        "a positive Hessian assumed",
        "Cholesky's method needs a Hessian that is positive definite. Plain Newton is asked for on any Hessian that is "
        "not singular.",
        raises="_?LinAlgError: .*cholesky",
    ),
    Mistake(
        "a Hessian without all its rows",
        "The matrix is singular, though the Hessian is not: a row is missing or repeated, or stands in its place "
        "wrongly.",
        raises="_?LinAlgError: .*singular",
    ),
)


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
