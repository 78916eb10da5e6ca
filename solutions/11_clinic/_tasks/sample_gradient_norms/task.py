"""sample_gradient_norms: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy
import torch
from torch import nn
from torch.nn import functional

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import BEGIN, Draw, seed


def _sample_gradient_norms(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    losses = [functional.cross_entropy(model(inputs[i : i + 1]), y[i : i + 1]) for i in range(len(y))]
    return torch.stack([torch.autograd.grad(loss, model.weight)[0].norm() for loss in losses])


def _sample_norms_closed(replay: Replay, model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The gradient is the outer product of (probabilities - one-hot) with the sample, and its norm theirs."""
    weight, samples = model.weight.detach().numpy(), inputs.numpy()
    scores = samples @ weight.T + (0 if model.bias is None else model.bias.detach().numpy())
    chances = numpy.exp(scores - scores.max(1, keepdims=True))
    errors = chances / chances.sum(1, keepdims=True) - numpy.eye(len(weight))[y.numpy()]
    return torch.from_numpy(numpy.sqrt((errors**2).sum(1)) * numpy.sqrt((samples**2).sum(1)))


REFERENCE = program_reference(
    "sample_gradient_norms",
    _sample_gradient_norms,
    "autograd in float64, sample by sample",
    _sample_norms_closed,
    "closed form in NumPy: an outer product",
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("accumulation", "jacobians"),
    section="Per-sample gradients from a vector of losses",
    begin=BEGIN,
    reference=REFERENCE,
)


def sample_gradient_norms(*shown: str) -> Draw:
    """Another number of samples than of classes or features."""

    def draw(source: Random) -> tuple[Program]:
        features, classes, batch = source.sample((2, 3, 4, 5), 3)
        bias = source.choice(("", ", bias=False"))
        labels = [source.randrange(classes) for _ in range(batch)]
        text = f"""{seed(source)}model = nn.Linear({features}, {classes}{bias}).double()
X = {tensor_text(source, (batch, features))}
result = sample_gradient_norms(model, X, torch.tensor({labels}))
"""
        return (Program(text, shown),)

    return draw


@TASK.check("a norm for each sample", points=3, cases="norms", draw=with_ends(sample_gradient_norms("result")))
def test_sample_gradient_norms(answers: Answers) -> None:
    """Batches of several sizes, with and without a bias."""
    answers.agree()


@TASK.check(
    "the model as it was",
    points=1,
    cases="as found",
    draw=sample_gradient_norms("result"),
    draws=1,
    damage=True,
)
def test_sample_gradient_norms_leave_things_as_found(answers: Answers) -> None:
    """Parameters' gradients that were there, and that were not."""
    answers.agree()
