"""gradient_of_vector: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.numbers import moderate, tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import Draw


def _gradient_of_vector(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad(y, x, grad_outputs=upstream)[0]


def _gradient_of_vector_numeric(
    replay: Replay, y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor
) -> torch.Tensor:
    return replay.gradient(y, x, upstream)


REFERENCE = program_reference(
    "gradient_of_vector",
    _gradient_of_vector,
    "autograd in float64",
    _gradient_of_vector_numeric,
    "central differences of the weighted sum",
)

TASK = Task(__file__, minutes=4, concepts=("upstream",), section="The upstream gradient", reference=REFERENCE)

Shapes = dict[str, Callable[[int], tuple[int, ...]]]

ONE_AXIS: Shapes = {
    "p * torch.sin(h)": lambda size: (size,),
    "(h * h).cumsum(0) + p": lambda size: (size,),
    "torch.cat([h, h.sum() * p])": lambda size: (2 * size,),
    "h[:2] * h[-1]": lambda size: (2,),
}
"""Outputs made from h and p of shape (size,) and q of shape (2,), with their shapes."""

OTHER_SHAPES: Shapes = {
    "torch.outer(torch.tanh(h), q)": lambda size: (size, 2),
    "torch.stack([h, h * p, torch.exp(-h * h)])": lambda size: (3, size),
    "torch.stack([h * h[0], p * h]).T": lambda size: (size, 2),
    "torch.outer(h, p * h).unsqueeze(1)": lambda size: (size, 1, size),
    "(h * torch.sin(h)).sum()": lambda size: (),
    "h[:1] * (h * p).sum()": lambda size: (1,),
}

AT_AN_END = "torch.outer(h, q)"
OTHER_SHAPES[AT_AN_END] = lambda size: (size, 2)


def vector(outputs: Shapes, *shown: str) -> Draw:
    """`gradient_of_vector` of one of these outputs, with respect to the leaf x or the inner node h."""

    def draw(source: Random) -> tuple[Program]:
        size = source.randint(3, 4)
        y = AT_AN_END if span() else source.choice(tuple(outputs))
        lines = [
            f"x = {tensor_text(source, (size,), requires_grad=True)}",
            f"p = {tensor_text(source, (size,))}",
            f"q = torch.tensor([{moderate(source)}, {moderate(source)}], dtype=torch.float64)",
            "h = -x.flip(0)"
            if span()
            else source.choice(("h = x * x + torch.sin(x)", "h = torch.tanh(x) * 2 + p", "h = x.flip(0) * x")),
            f"y = {y}",
            f"upstream = {tensor_text(source, outputs[y](size))}",
            f"result = gradient_of_vector(y, {source.choice('xh')}, upstream)",
        ]
        lines = [line for line in lines if line[0] != "q" or "q)" in y]
        return (Program("\n".join(lines) + "\n", shown),)

    return draw


@TASK.check("y with one axis", points=2, cases="one axis", draw=vector(ONE_AXIS, "result"))
def test_gradient_of_vector(answers: Answers) -> None:
    """One weight for each element; nothing stored or changed."""
    answers.agree()


@TASK.check("y of any shape", points=2, cases="any shape", draw=with_ends(vector(OTHER_SHAPES, "result")))
def test_gradient_of_any_shape(answers: Answers) -> None:
    """Matrices, more axes, and none."""
    answers.agree()
