"""hessian_vector_product: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.numbers import coefficients, tensor_text
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references.leaves import leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import THROUGH_POINTS, Function, interpolated_product, next_derivative, widened


def hessian_times(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """H v, in the shape of x."""
    leaf = leaf_of(x)
    return next_derivative(next_derivative(f(leaf), leaf), leaf, v).detach()


def _counted_product(replay: Replay, f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """As `interpolated_product`; called and passed back through as often as is right, for those who count."""
    f(x)
    replay.names.get("passes", []).extend(("pass", "pass"))
    wide = widened(replay, f, x)
    return interpolated_product(getattr(wide, "__wrapped__", wide), x, v).to(x.dtype)


REFERENCE = program_reference(
    "hessian_vector_product",
    hessian_times,
    "autograd: the gradient differentiated with v upstream",
    _counted_product,
    f"second derivatives along lines, {THROUGH_POINTS}, put together by polarisation",
)

TASK = Task(
    __file__,
    minutes=8,
    concepts=("second derivatives", "jacobians"),
    section="Hessian-vector products",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)

CURVED = (
    "({c} * x**3).sum() + x.prod()",
    "torch.exp(x / 3).sum() * ({c} * x).sum()",
    "torch.sin({c} * x).sum() ** 2 + (x**4).sum() / 12",
    "(x.flatten()[1:] * x.flatten()[:-1].tanh()).sum() + ({c} * x * x).sum()",
)

FLAT = ("({c} * x).sum()", "(w * x).sum()", "x.sum() + ({c} * x).mean()", "(w + x).sum()")


def curved(source: Random) -> tuple[Program]:
    """A function of a tensor of some shape, and a direction."""
    shape = source.choice(((2,), (3,), (4,), (2, 2), (1, 3)))
    body = source.choice(CURVED[:1] if span() else CURVED).format(c=coefficients(source, shape))
    text = f"""f = lambda x: {body}
x = {tensor_text(source, shape, most=1000)} / 2
v = {tensor_text(source, shape)}
result = hessian_vector_product(f, x, v)
"""
    return (Program(text, ("result",)),)


def flat(source: Random) -> tuple[Program]:
    """A linear function: its Hessian is 0."""
    shape = source.choice(((2,), (3,), (2, 2)))
    body = source.choice(FLAT).format(c=coefficients(source, shape))
    own = f"w = {tensor_text(source, shape, requires_grad=True)}\n" if "w" in body else ""
    text = f"""{own}f = lambda x: {body}
x = {tensor_text(source, shape)}
v = {tensor_text(source, shape)}
result = hessian_vector_product(f, x, v)
"""
    return (Program(text, ("result",)),)


@TASK.check("the product", points=2, cases="product", draw=with_ends(curved))
def test_hessian_vector_product(answers: Answers) -> None:
    """H v in the shape of x."""
    answers.agree()


@TASK.check("a linear function", points=1, cases="linear", draw=flat)
def test_hessian_vector_product_of_a_linear_function(answers: Answers) -> None:
    """Zeros."""
    answers.agree()


@TASK.check("without the matrix", points=2, cases="cost")
def test_hessian_vector_product_without_the_matrix(answers: Answers) -> None:
    """One call, few passes, no tensor that grows with the square of the size."""
    answers.agree()
