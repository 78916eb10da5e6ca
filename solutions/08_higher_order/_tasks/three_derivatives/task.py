"""three_derivatives: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, span, with_ends
from autograder.checks.draws.numbers import moderate, number
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references.leaves import leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import DTYPE, Function, derivative, next_derivative, widened


def first_three(f: Function, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """f', f'' and f''' at x."""
    leaf = leaf_of(x)
    first = next_derivative(f(leaf), leaf)
    second = next_derivative(first, leaf)
    return first.detach(), second.detach(), next_derivative(second, leaf).detach()


def _interpolated_three(replay: Replay, f: Function, x: torch.Tensor) -> list[torch.Tensor]:
    """One polynomial, differentiated three times."""
    wide = x.double()
    f = widened(replay, f, x)
    return [derivative(lambda t: f(wide + t), order).to(x.dtype) for order in (1, 2, 3)]


REFERENCE = program_reference(
    "three_derivatives",
    first_three,
    "autograd, one derivative after another",
    _interpolated_three,
    "derivatives of a polynomial through nine points",
)

TASK = Task(
    __file__,
    minutes=8,
    concepts=("second derivatives",),
    section="Second and third derivatives, and where they end",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)

CURVES = (
    "{a} * x**3 + {b} * x**2",
    "torch.exp({a} * x) * x",
    "torch.sin({a} * x) * x**2",
    "torch.tanh({a} * x) + x**4 / 4",
    "{a} * torch.log(2 + x * x) * x",
    "F.softplus({a} * x) * x",
)

ENDING = ("{a} * x", "{a} * x + {b}", "{a} * x * x + {b} * x", "x", "w * x", "w * x + x * x", "w + {a} * x")
"""Functions whose derivatives are constant sooner or later; `w` requires a gradient of its own."""


def _coefficients(source: Random) -> dict[str, float]:
    return {"a": moderate(source, 0.5, 1.5), "b": moderate(source, 0.5, 2.0)}


def curves(source: Random) -> tuple[Program]:
    """A curve, and x with something in its `.grad`'s place or not."""
    text = f"""f = lambda x: {source.choice(CURVES[:1] if span() else CURVES).format(**_coefficients(source))}
x = torch.tensor({number(source, 0.4, 1.4)}, {DTYPE})
result = three_derivatives(f, x)
"""
    return (Program(text, ("result",)),)


def ending(source: Random) -> tuple[Program]:
    """A function that is linear, or quadratic."""
    body = source.choice(ENDING).format(**_coefficients(source))
    own = f"w = torch.tensor({number(source)}, {DTYPE}, requires_grad=True)\n" if "w" in body else ""
    text = f"""{own}f = lambda x: {body}
x = torch.tensor({number(source)}, {DTYPE})
result = three_derivatives(f, x)
"""
    return (Program(text, ("result",)),)


@TASK.check("the three", points=2, cases="curves", draw=with_ends(curves, TINY))
def test_three_derivatives(answers: Answers) -> None:
    """Functions that can be differentiated on and on."""
    answers.agree()


@TASK.check("zeros where nothing is left", points=2, cases="ending", draw=ending)
def test_three_derivatives_of_functions_whose_derivatives_end(answers: Answers) -> None:
    """Linear and quadratic ones, with and without tensors of their own."""
    answers.agree()


@TASK.check("x as it was", points=1, cases="as found", damage=True)
def test_three_derivatives_leaves_x_as_found(answers: Answers) -> None:
    """The caller's tensor is no leaf of the function."""
    answers.agree()
