"""vectorised_element: what is right, from two sources, and what is asked."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import unit, with_ends
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import F64, Draw, fill, numbers


def _vectorised_element(x: torch.Tensor, w: torch.Tensor, i: int) -> float:
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad((leaf * w).sum() ** 2, leaf)[0][i].item()


def _vectorised_element_numeric(replay: Replay, x: torch.Tensor, w: torch.Tensor, i: int) -> float:
    elements, weights = ([Fraction(number) for number in tensor.tolist()] for tensor in (x, w))

    def y(step: int) -> Fraction:
        moved = [*elements]
        moved[i] += step
        return Fraction(sum(a * b for a, b in zip(moved, weights, strict=True))) ** 2

    return float((y(1) - y(-1)) / 2)


REFERENCE = program_reference(
    "vectorised_element",
    _vectorised_element,
    "autograd in float64",
    _vectorised_element_numeric,
    "central differences in fractions, exact for a square",
)

TASK = Task(
    __file__, minutes=5, concepts=("leaves",), section="Vectorised operations track every element", reference=REFERENCE
)


def vectorised_element(*shown: str, filled: bool = False) -> Draw:
    """A tensor and weights; where it is filled, its `.grad` holds something and it may require a gradient."""

    def draw(source: Random) -> tuple[Program]:
        size = source.randint(2, 6)
        i = source.randrange(-size, size)
        w = numbers(source, size, lambda w: True)

        def telling(x: list[float]) -> bool:
            products = [a * b for a, b in zip(x, w, strict=True)]
            distinct = abs(abs(x[i]) - abs(w[i])) > 0.1 * unit()
            return distinct and min(abs(sum(products)), abs(sum(products) - products[i])) > 0.3 * unit() ** 2

        x = numbers(source, size, telling)
        flag = source.choice(("", ", requires_grad=True")) if filled else ""
        text = f"x = torch.tensor({x}, {F64}{flag})\nw = torch.tensor({w}, {F64})\n"
        text += fill("x", source, size, filled)
        return (Program(f"{text}result = vectorised_element(x, w, {i})\n", shown),)

    return draw


@TASK.check("the derivative", points=3, cases="values", draw=with_ends(vectorised_element("result")))
def test_vectorised_element(answers: Answers) -> None:
    """One element of the square of a sum of products."""
    answers.agree()


@TASK.check(
    "`x.grad` filled before, and `x` as it was",
    points=2,
    cases="as it was",
    draw=vectorised_element("result", filled=True),
    damage=True,
)
def test_vectorised_element_leaves_no_traces(answers: Answers) -> None:
    """What `.grad` holds does not matter and stays."""
    answers.agree()
