"""GradientExtractor: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.own_nodes import by_its_own_node
from autograder.checks.task import Task

from ..shared import by_differences, draw, once, reference_of


class Composed:
    """One element of a vector."""

    @staticmethod
    def apply(x: torch.Tensor, index: int) -> torch.Tensor:
        return x[index]


ByHand = by_differences(lambda x, index: x[index])
REFERENCE = reference_of("GradientExtractor", Composed, ByHand, "central differences in NumPy")

TASK = Task(
    __file__,
    minutes=6,
    concepts=("custom functions",),
    section="Saving: save_for_backward or ctx attributes",
    reference=REFERENCE,
)


def _extractor(low: Callable[[int], int], high: Callable[[int], int]) -> Callable[[Random], str]:
    def write(source: Random) -> str:
        size = source.randint(4, 7)
        index = source.randint(low(size), high(size))
        x = tensor_text(source, (size,), requires_grad=True)
        return once(f"GradientExtractor.apply(x, {index})", x, tensor_text(source, ()))

    return write


def _extractor_twice(source: Random) -> str:
    size = source.randint(4, 7)
    one, other = source.sample(range(size), 2)
    return (
        f"x = {tensor_text(source, (size,), requires_grad=True)}\n"
        f"result = GradientExtractor.apply(x, {one})\nother = GradientExtractor.apply(x, {other - size})\n"
        f"loss = {number(source)} * result + {number(source)} * other**2\nloss.backward()\n"
    )


extractor = draw(_extractor(lambda n: 0, lambda n: n - 1), "result", "x.grad")
extractor_negative = draw(_extractor(lambda n: -n, lambda n: -1), "result", "x.grad")
extractor_twice = draw(_extractor_twice, "x.grad")


@TASK.check("one element", points=2, cases="one", draw=with_ends(extractor))
def test_extractor(answers: Answers) -> None:
    """The upstream gradient at the element's place, zeros elsewhere; x stays as it is."""
    by_its_own_node(answers)


@TASK.check("a negative index", points=1, cases="negative", draw=extractor_negative, draws=1)
def test_extractor_negative(answers: Answers) -> None:
    """Counted from the end."""
    by_its_own_node(answers)


@TASK.check("several applies before one backward", points=1, cases="several", draw=extractor_twice, draws=1)
def test_extractor_twice(answers: Answers) -> None:
    """Each apply keeps its own index."""
    by_its_own_node(answers)
