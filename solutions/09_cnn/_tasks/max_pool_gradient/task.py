"""max_pool_gradient: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy as np
import torch
from torch.nn import functional

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.models import randn, seed_line
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference


def _max_pool_gradient(x: torch.Tensor, upstream: torch.Tensor, size: int) -> torch.Tensor:
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(functional.max_pool2d(leaf, size), leaf, upstream)[0]


def _max_pool_loops(replay: Replay, x: torch.Tensor, upstream: torch.Tensor, size: int) -> torch.Tensor:
    pixels, found = x.numpy(), np.zeros(x.shape, x.numpy().dtype)
    for b, c, i, j in np.ndindex(*upstream.shape):
        window = pixels[b, c, i * size : (i + 1) * size, j * size : (j + 1) * size]
        row, column = np.unravel_index(np.argmax(window), window.shape)  # argmax: the first in reading order
        found[b, c, i * size + row, j * size + column] = upstream[b, c, i, j].item()
    return torch.from_numpy(found)


REFERENCE = program_reference(
    "max_pool_gradient",
    _max_pool_gradient,
    "autograd through torch's own max pooling",
    _max_pool_loops,
    "a loop over windows in numpy",
)

TASK = Task(
    __file__, minutes=8, concepts=("upstream", "gates"), section="The backward of max pooling", reference=REFERENCE
)


def pooling(*shown: str, ties: bool = False, over: bool = False) -> Draw:
    """Images of whole numbers, some of them equal where `ties`; pixels are left over where `over`."""

    def draw(source: Random) -> tuple[Program]:
        size, b, c = source.randint(2, 3), source.randint(1, 2), source.randint(1, 2)
        places = source.sample((1, 2, 3), 2)
        more = (source.randint(1, size - 1), source.randint(0, size - 1)) if over else (0, 0)
        high, wide = (n * size + extra for n, extra in zip(places, more, strict=True))
        count = b * c * high * wide
        numbers = [source.randint(-1, 1) for _ in range(count)] if ties else source.sample(range(-count, count), count)
        if end := span():
            low, high_end = end
            least = min(numbers)
            numbers = [float(f"{low + (high_end - low) * (one - least) / (2 * count):.6g}") for one in numbers]
        text = f"""{seed_line(source)}x = torch.tensor({numbers}, dtype=torch.float64).reshape({b}, {c}, {high}, {wide})
upstream = {randn(b, c, *places)}
result = max_pool_gradient(x, upstream, {size})
"""
        return (Program(text, shown),)

    return draw


@TASK.check("one largest pixel in each window", points=2, cases="plain", draw=with_ends(pooling("result")))
def test_max_pool_gradient(answers: Answers) -> None:
    """No two pixels are equal; windows below zero too."""
    answers.agree()


@TASK.check("several largest pixels", points=2, cases="ties", draw=pooling("result", ties=True))
def test_max_pool_gradient_with_ties(answers: Answers) -> None:
    """The first in reading order."""
    answers.agree()


@TASK.check("pixels left over", points=1, cases="leftovers", draw=pooling("result", over=True))
def test_max_pool_gradient_with_leftovers(answers: Answers) -> None:
    """They are in no window."""
    answers.agree()
