"""Mistakes of newton_step."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.higher_order.shared import NOTHING_LEFT, marked, mistakes_of, row_sums, without_graph
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.higher_order.by_autograd import (
    gradient_of,
    hessian_of,
    leaf_of,
    newton_step,
    next_derivative,
)

Function = Callable[[torch.Tensor], torch.Tensor]
_newton = mistakes_of("newton_step")


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


NEWTON_STEP = (
    *marked("newton_step", newton_step),
    without_graph("The gradient was differentiated and carries no graph. Was it computed with `create_graph=True`?"),
    NOTHING_LEFT,
    *_newton(
        "inverted",
        "The numbers are right, and an inverse was computed on the way. One vector is asked for, which a system of "
        "equations gives. See lesson 08, “Newton's method”.",
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
        "This is x minus the gradient. The curvature, which says how far to go, was not used.",
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
        "The matrix is singular, though the Hessian is not: a row is missing, repeated or in the wrong place.",
        raises="_?LinAlgError: .*singular",
    ),
)
