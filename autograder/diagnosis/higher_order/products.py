"""Mistakes of hessian_vector_product."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.higher_order.shared import NOTHING_LEFT, marked, mistakes_of, row_sums, without_graph
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.higher_order.by_autograd import (
    gradient_of,
    hessian_of,
    leaf_of,
    next_derivative,
)
from autograder.references.higher_order.by_autograd import hessian_vector_product as right

TASK = "hessian_vector_product"
_mistake = mistakes_of(TASK)
Function = Callable[[torch.Tensor], torch.Tensor]


def _hessian(f: Function, x: torch.Tensor) -> torch.Tensor:
    return hessian_of(lambda flat: f(flat.reshape(x.shape)), x.flatten())


def _row_sums(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    return row_sums(next_derivative(f(leaf), leaf), leaf)


def _row_by_row(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """A pass for each element, and never the matrix."""
    leaf = leaf_of(x)
    gradient = next_derivative(f(leaf), leaf).flatten()
    return torch.stack([(next_derivative(one, leaf).detach() * v).sum() for one in gradient]).reshape(x.shape)


def _differences(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Two gradients, a small step apart."""
    up, down = (gradient_of(f, x + sign * 1e-5 * v) for sign in (1, -1))
    return (up - down) / 2e-5


HESSIAN_VECTOR_PRODUCT = (
    *marked(TASK, right),
    without_graph(
        "The gradient was differentiated and carries no graph: it was computed without `create_graph=True`, or f is "
        "linear and it is a constant. Then H v is 0."
    ),
    NOTHING_LEFT,
    *_mistake(
        "the whole Hessian",
        "The numbers are right, and a table with n times n entries was made on the way. See lesson 08, “Hessian-vector "
        "products”.",
        lambda f, x, v: (_hessian(f, x) @ v.flatten()).reshape(x.shape),
        lambda f, x, v: torch.tensordot(torch.func.hessian(f)(x), v, dims=x.dim()).detach(),
    ),
    *_mistake(
        "a pass for each element",
        "The numbers are right, and took a backward pass for each element of x. The weights in v can be mixed in "
        "before the pass.",
        _row_by_row,
    ),
    *_mistake(
        "f called twice",
        "`f` was called more than once: for two gradients a small step apart, perhaps. One call and its graph are "
        "enough.",
        lambda f, x, v: (f(x), right(f, x, v))[1],
        _differences,
    ),
    *_mistake(
        "v multiplied on afterwards",
        "The rows of the Hessian were added up first, and the sums multiplied by v element by element. Where must v "
        "come in?",
        lambda f, x, v: _row_sums(f, x, v) * v,
    ),
    *_mistake(
        "v ignored",
        "This is H times a vector of ones: the gradient's elements were added up, each counting once. The weights in v "
        "are missing.",
        _row_sums,
    ),
    *_mistake(
        "only the diagonal",
        "Each element was differentiated with respect to itself alone. What a move of one element does to the slope in "
        "another is missing.",
        lambda f, x, v: _hessian(f, x).diagonal().reshape(x.shape) * v,
    ),
    *_mistake(
        "slopes multiplied",
        "This is the gradient times its product with v: slopes multiplied by slopes. A Hessian holds slopes of slopes.",
        lambda f, x, v: gradient_of(f, x) * (gradient_of(f, x) * v).sum(),
    ),
    *_mistake(
        "the first derivative along v",
        "This is one number, the gradient times v. It still has to be differentiated with respect to x.",
        lambda f, x, v: (gradient_of(f, x) * v).sum(),
    ),
    *_mistake(
        "v on both sides",
        "This is v H v, one number: how the slope along v changes along v. Asked for is H v, in the shape of x.",
        lambda f, x, v: (right(f, x, v) * v).sum(),
    ),
    *_mistake(
        "divided by the length",
        "Everything was divided by the length of v. Twice the v gives twice the result.",
        lambda f, x, v: right(f, x, v) / v.norm(),
    ),
    *_mistake(
        "the gradient itself",
        "This is the gradient, or the gradient times v: a first derivative.",
        lambda f, x, v: gradient_of(f, x),
        lambda f, x, v: gradient_of(f, x) * v,
    ),
    Mistake(
        "v of another shape",
        "Two shapes do not fit. The gradient has the shape of x, whatever that is, and so has v; `@` is for vectors "
        "with one axis.",
        raises="RuntimeError: (1D tensors expected|inconsistent tensor size|mat1 and mat2|mv:|size mismatch|"
        "both arguments to (matmul|linalg)|Mismatch in shape: grad_output|The size of tensor a|addmv|t\\(\\) expects)|"
        "IndexError",
    ),
)
