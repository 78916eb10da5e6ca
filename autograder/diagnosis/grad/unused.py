"""Mistakes of grad_or_zero."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Nodes = Sequence[torch.Tensor]
NOT_ALLOWED = Mistake(
    "unused tensors not allowed for",
    "The output was not computed from each of these tensors, and `torch.autograd.grad` takes that for a mistake "
    "unless it is told otherwise.",
    raises="RuntimeError: .* appears? to not have been used in the graph",
)


def found(output: torch.Tensor, inputs: Nodes) -> Sequence[torch.Tensor | None]:
    """The gradients, None where there is no path; the graph is retained."""
    return torch.autograd.grad(output, list(inputs), allow_unused=True, retain_graph=True)


def _with(zero: Callable[[torch.Tensor, torch.Tensor], object]) -> Callable[[torch.Tensor, Nodes], tuple]:
    """Gradients, and `zero(output, input)` in the place of a missing one."""
    return lambda output, inputs: tuple(
        zero(output, one) if gradient is None else gradient
        for one, gradient in zip(inputs, found(output, inputs), strict=True)
    )


def _by_backward(output: torch.Tensor, inputs: Nodes) -> tuple:
    output.backward()
    return tuple(torch.zeros_like(one) if one.grad is None else one.grad for one in inputs)


def _inner_as_zero(output: torch.Tensor, inputs: Nodes) -> tuple:
    pairs = zip(inputs, found(output, inputs), strict=True)
    return tuple(gradient if one.is_leaf and gradient is not None else torch.zeros_like(one) for one, gradient in pairs)


def _zero(name: str, sentence: str, implementation: Callable) -> Mistake:
    return Mistake(name, sentence, under("grad_or_zero", implementation))


SHAPELESS = "A single 0 stands where a tensor of zeros belongs, with the shape of the input."
SINGLE_ZEROS = (
    lambda output, one: one.new_zeros(()),
    lambda output, one: torch.tensor(0.0),
    lambda output, one: torch.zeros_like(output),
    lambda output, one: 0.0,
)
GRAD_OR_ZERO = (
    NOT_ALLOWED,
    *(_zero("zeros without their shape", SHAPELESS, _with(zero)) for zero in SINGLE_ZEROS),
    _zero(
        "zeros in the default dtype",
        "The zeros have the right shape and the default dtype. They should have that of their input.",
        _with(lambda output, one: torch.zeros(one.shape)),
    ),
    _zero(
        "unused inputs left out",
        "The result is shorter than `inputs`. An input that the output does not use has zeros in its place.",
        lambda output, inputs: tuple(one for one in found(output, inputs) if one is not None),
    ),
    _zero(
        "ones instead of zeros",
        "Ones stand where the output does not depend on the input. How far does it move if such an input moves?",
        _with(lambda output, one: torch.ones_like(one)),
    ),
    _zero(
        "the input in its own place",
        "Where no gradient was found, the input itself was returned. How far does the output move if it moves?",
        _with(lambda output, one: one),
    ),
    _zero(
        "inner nodes taken for unused",
        "Inner nodes have zeros here, and the output does depend on some of them. `backward()` leaves their `.grad` "
        "at None; that says nothing about a path.",
        _by_backward,
    ),
    _zero(
        "inner nodes taken for unused",
        "Inner nodes have zeros here, and the output does depend on some of them. Only leaves store gradients, and "
        "every node has one.",
        _inner_as_zero,
    ),
)
