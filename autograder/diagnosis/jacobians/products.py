"""Mistakes of weighted_input_gradient and directional_derivative."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import as_found, matrix, mistakes_of, weight_of
from autograder.references.jacobians import leaf_of

Function = Callable[[torch.Tensor], torch.Tensor]
_weighted = mistakes_of("weighted_input_gradient")
_directional = mistakes_of("directional_derivative")


def _product(layer: nn.Module, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    return torch.autograd.grad(layer(leaf), leaf, v)[0]


def _other_side(layer: nn.Module, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    found = matrix(layer, x)
    if found.shape[1] != v.shape[1]:
        raise ValueError("J v needs as many weights as inputs")
    return v @ found.mT


WEIGHTED_INPUT_GRADIENT = (
    *as_found("weighted_input_gradient", _product),
    *_weighted(
        "a pass for each row",
        "The numbers are right, and were made from all rows, with a backward pass for each. The weights can be mixed "
        "in before the pass.",
        lambda layer, x, v: v @ matrix(layer, x),
    ),
    *_weighted(
        "no backward pass",
        "The numbers are right, and no backward pass was made. Columns, nudges or a formula cost more, or hold for one "
        "kind of layer only.",
        lambda layer, x, v: v @ torch.func.jacfwd(layer)(x)[0, :, 0].detach(),
    ),
    *_weighted(
        "weights ignored",
        "This is the sum of the rows: each output counts once. The weights in `v` are missing.",
        lambda layer, x, v: _product(layer, x, torch.ones_like(v)),
    ),
    *_weighted(
        "columns weighted",
        "`v` was multiplied onto the columns, which belong to inputs. It has a weight for each output.",
        _other_side,
    ),
    Mistake(
        "columns weighted",
        "`v` has a weight for each output, and was multiplied onto what has an entry for each input. The weights come "
        "in before the pass, where the outputs are.",
        raises="RuntimeError: The size of tensor a",
    ),
    *_weighted(
        "the weight instead of the Jacobian",
        "`v` was multiplied onto the layer's weight. That is the Jacobian of a Linear layer alone.",
        lambda layer, x, v: v @ weight_of(layer),
    ),
    *_weighted(
        "batch axis lost",
        "The numbers are right. The result has the shape of x, (1, in), with its batch axis.",
        lambda layer, x, v: _product(layer, x, v)[0],
    ),
    Mistake(
        "the weight instead of the Jacobian",
        "Not every layer has a `weight`, and where it has one it need not be the Jacobian. Ask autograd.",
        raises="AttributeError: '\\w+' object has no attribute '(weight|bias)'",
    ),
    Mistake(
        "weights of another shape",
        "`grad_outputs` must have the shape of the output, (1, out), which is the shape in which `v` arrives.",
        raises="RuntimeError: Mismatch in shape: grad_output",
    ),
)


def _rows_weighted(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    output = f(leaf)
    if output.shape != v.shape:
        raise ValueError("v J needs as many weights as outputs")
    return torch.autograd.grad(output, leaf, v)[0]


def _by_rows(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """The matrix by one wide backward pass, then the product."""
    whole = torch.func.jacrev(f)(x)
    return (whole * v).sum(dim=tuple(range(whole.dim() - x.dim(), whole.dim()))) if x.dim() else whole * v


def _jvp(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return torch.func.jvp(f, (x,), (v,))[1]


def _tangent_lost(f: Function, x: torch.Tensor, v: torch.Tensor) -> None:
    f(x)


DIRECTIONAL_DERIVATIVE = (
    *_directional(
        "by backward passes",
        "Backward passes were made. Forward mode needs none. See lesson 07, “Jacobian-vector products”.",
        _by_rows,
    ),
    *_directional(
        "called more than once",
        "`f` was called more than once: for a difference quotient, perhaps, or to see the shape of its result. Forward "
        "mode takes one call.",
        lambda f, x, v: (f(x), _jvp(f, x, v))[1],
    ),
    *_directional(
        "divided by the length",
        "Everything was divided by the length of `v`. Asked for is J v itself: twice the `v` gives twice the result.",
        lambda f, x, v: _jvp(f, x, v) / v.norm(),
    ),
    *_directional(
        "rows weighted",
        "This is v J, what a backward pass with `v` as `grad_outputs` gives. `v` has a weight for each input, not for "
        "each output.",
        _rows_weighted,
    ),
    *_directional(
        "the value, not its speed",
        "This is f(x). Of the pair that forward mode returns, the other one is the derivative.",
        lambda f, x, v: f(x),
    ),
    *_directional(
        "both returned",
        "Value and derivative came back as a pair. The task asks for the derivative alone.",
        lambda f, x, v: torch.func.jvp(f, (x,), (v,)),
    ),
    *_directional(
        "v ignored",
        "This is the derivative for a move of 1 in every input. The move in `v` is missing.",
        lambda f, x, v: _jvp(f, x, torch.ones_like(v)),
    ),
    *_directional(
        "unpacked too late",
        "The result is None. A dual number loses its tangent where its `dual_level()` ends, so it is unpacked within.",
        _tangent_lost,
    ),
    Mistake(
        "more axes than a matrix",
        "A matrix product was asked for what is no matrix: x may have any number of axes, and so may f(x). Forward "
        "mode gives the product without the matrix.",
        raises="RuntimeError: (mat1 and mat2 shapes|size mismatch, got|mat\\d|both arguments to matmul)",
    ),
    Mistake(
        "rows weighted",
        "`grad_outputs` has a weight for each output; `v` has one for each input. A backward pass mixes rows, and here "
        "columns are to be mixed.",
        raises="RuntimeError: Mismatch in shape: grad_output",
    ),
)
