"""gather_gradient: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy
import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import Draw


def _gather_gradient(upstream: torch.Tensor, index: torch.Tensor, length: int) -> torch.Tensor:
    x = torch.zeros(length, dtype=upstream.dtype, requires_grad=True)
    return torch.autograd.grad(x[index], x, upstream)[0]


def _gather_gradient_by_numpy(replay: Replay, upstream: torch.Tensor, index: torch.Tensor, length: int) -> torch.Tensor:
    gradient = numpy.zeros(length, dtype=upstream.numpy().dtype)
    numpy.add.at(gradient, index.numpy(), upstream.numpy())
    return torch.from_numpy(gradient)


REFERENCE = program_reference(
    "gather_gradient",
    _gather_gradient,
    "autograd of an index",
    _gather_gradient_by_numpy,
    "numpy.add.at",
)

TASK = Task(__file__, minutes=5, concepts=("accumulation",), section="Indexing and its backward", reference=REFERENCE)


def gather_gradient(*shown: str, repeats: bool) -> Draw:
    """An index that names places once, or some of them more often."""

    def draw(source: Random) -> tuple[Program]:
        length = source.randint(3, 6)
        count = source.randint(2, length - 1)
        index = source.sample(range(length), count)
        if repeats:
            index += source.choices(index, k=source.randint(1, 3))
            source.shuffle(index)
        upstream = tensor_text(source, (len(index),)).replace("float64", source.choice(("float32", "float64")))
        text = f"upstream = {upstream}\nindex = torch.tensor({index})\n"
        return (Program(f"{text}result = gather_gradient(upstream, index, {length})\n", shown),)

    return draw


@TASK.check("each place read once", points=1, cases="once", draw=gather_gradient("result", repeats=False))
def test_gather_gradient(answers: Answers) -> None:
    """Zeros where nothing was read; the upstream gradient's dtype."""
    answers.agree()


@TASK.check("places read again", points=2, cases="repeats", draw=with_ends(gather_gradient("result", repeats=True)))
def test_gather_gradient_of_repeats(answers: Answers) -> None:
    """Several upstream gradients for one place."""
    answers.agree()


@TASK.check("an empty index", points=1, cases="empty")
def test_gather_gradient_of_nothing(answers: Answers) -> None:
    """Zeros everywhere."""
    answers.agree()
