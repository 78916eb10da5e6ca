"""mean_loss: what is right, from two sources, and what is asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.models import chain, randn
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import BEGIN, seed

Batches = Iterable[tuple[torch.Tensor, torch.Tensor]]


def _mean_loss(model: nn.Module, loss_fn: Callable, batches: Batches) -> float:
    with torch.no_grad():
        return torch.stack([loss_fn(model(inputs), y) for inputs, y in batches]).mean().item()


def _mean_loss_summed(replay: Replay, model: nn.Module, loss_fn: Callable, batches: Batches) -> float:
    losses = [loss_fn(model(inputs), y).item() for inputs, y in batches]
    return math.fsum(losses) / len(losses)


REFERENCE = program_reference(
    "mean_loss", _mean_loss, "without a graph, stacked", _mean_loss_summed, "Python floats, summed exactly"
)

TASK = Task(
    __file__,
    minutes=5,
    concepts=("broadcasting",),
    section="Running averages of losses, and memory",
    begin=BEGIN,
    reference=REFERENCE,
    says={
        "torch.is_tensor(result) and result.requires_grad": "`result` still requires a gradient, and holds its graph",
        "torch.is_tensor(result) and result.dim() > 0": "`result` has an axis; return a tensor without axes or a float",
        "grows": "more batches keep more tensors",
    },
)


def mean_loss(source: Random) -> tuple[Program]:
    """Batches of several sizes; what is kept for few of them and for more."""
    i, o = source.randint(2, 3), source.randint(2, 3)
    few = source.randint(2, 3)
    sizes = [source.randint(1, 4) for _ in range(few + source.randint(1, 2))]
    text = f"""{seed(source)}model = {chain(source, i, o)}.double()
loss_fn = {source.choice(("F.mse_loss", "lambda output, y: (output - y).abs().sum()"))}
batches = [({randn("size", i)}, {randn("size", o)}) for size in {sizes}]
result = mean_loss(model, loss_fn, iter(batches))


def most_kept(count):
    with counters.tensors_kept() as kept:
        mean_loss(model, loss_fn, batches[:count])
    return kept.most


grows = most_kept({len(sizes)}) > most_kept({few})
"""
    shown = "result", "torch.is_tensor(result) and result.requires_grad", "grows"
    return (Program(text, shown),)


@TASK.check("the mean, and nothing that grows", points=3, cases="kept", draw=mean_loss, draws=2)
def test_mean_loss(answers: Answers) -> None:
    """More batches keep no more tensors."""
    answers.agree()


@TASK.check("one batch, a generator, and all as it was", points=1, cases="as found", damage=True)
def test_mean_loss_leaves_things_as_found(answers: Answers) -> None:
    """Parameters' gradients, modes, grad mode."""
    answers.agree()
