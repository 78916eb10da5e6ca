"""unbroadcast: what is right, from two sources, and what is asked."""

from __future__ import annotations

import math
from random import Random

import numpy
import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.attempts import passing
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import Draw


def _unbroadcast(gradient: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    small = torch.zeros(shape, dtype=gradient.dtype, requires_grad=True)
    return torch.autograd.grad(small.expand(gradient.shape), small, gradient)[0].clone()


def _unbroadcast_place_by_place(replay: Replay, gradient: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    large = gradient.numpy()
    small = numpy.zeros(shape, dtype=large.dtype)
    for place in numpy.ndindex(large.shape):
        own = place[len(place) - len(shape) :]
        small[tuple(min(at, size - 1) for at, size in zip(own, shape, strict=True))] += large[place]
    return torch.from_numpy(small)


REFERENCE = program_reference(
    "unbroadcast",
    _unbroadcast,
    "autograd of expand",
    _unbroadcast_place_by_place,
    "numpy, place by place",
)

TASK = Task(
    __file__, minutes=8, concepts=("broadcasting",), section="Broadcasting and its backward", reference=REFERENCE
)


def unbroadcast(*shown: str, front: int, stretched: bool) -> Draw:
    """A shape with up to `front` axes missing, and with stretched axes or none."""

    def shapes(source: Random) -> tuple[list[int], list[int], list[int]]:
        added = [source.choice((1, 2, 2, 3)) for _ in range(source.randint(min(front, 1), front))]
        kept = [source.choice((1, 2, 3) if stretched else (2, 3)) for _ in range(source.randint(1, 3))]
        return added, kept, [1 if stretched and source.random() < 0.5 else size for size in kept]

    def telling(drawn: tuple[list[int], list[int], list[int]]) -> bool:
        """At least one sum is over more than one entry, and the program stays short."""
        added, kept, small = drawn
        return math.prod(added) > (front > 0) and (small != kept) == stretched and math.prod(added + kept) <= 24

    def draw(source: Random) -> tuple[Program]:
        added, kept, small = passing(lambda: shapes(source), telling)
        gradient = tensor_text(source, tuple(added + kept))
        return (Program(f"gradient = {gradient}\nresult = unbroadcast(gradient, {tuple(small)})\n", shown),)

    return draw


@TASK.check("axes in front", points=2, cases="front", draw=unbroadcast("result", front=2, stretched=False))
def test_unbroadcast_axes_in_front(answers: Answers) -> None:
    """Axes that the shape lacks, all of them for ()."""
    answers.agree()


@TASK.check("stretched axes", points=2, cases="stretched", draw=unbroadcast("result", front=0, stretched=True))
def test_unbroadcast_stretched_axes(answers: Answers) -> None:
    """Axes of size 1, which stay; equal shapes."""
    answers.agree()


@TASK.check(
    "both kinds at once", points=2, cases="both", draw=with_ends(unbroadcast("result", front=2, stretched=True))
)
def test_unbroadcast_both(answers: Answers) -> None:
    """Axes in front and stretched ones; the gradient stays as it was."""
    answers.agree()
