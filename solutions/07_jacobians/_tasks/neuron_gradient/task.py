"""neuron_gradient: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import flatter, with_ends
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.draws.torch_modules import Draw, made
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.leaves import in_double, leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import net


def gradient_of_neuron(model: nn.Module, inputs: torch.Tensor, k: int) -> torch.Tensor:
    leaf = leaf_of(inputs)
    return torch.autograd.grad(model(leaf)[:, k].sum(), leaf)[0]


def _neuron_numeric(replay: Replay, model: nn.Module, inputs: torch.Tensor, k: int) -> torch.Tensor:
    wide = in_double(model)
    each = [numeric.gradient(lambda one: wide(one[None])[0, k], sample) for sample in inputs.double()]
    return torch.stack(each).to(inputs.dtype)


REFERENCE = program_reference(
    "neuron_gradient",
    gradient_of_neuron,
    "one pass through the sum over the batch",
    _neuron_numeric,
    "central differences, sample by sample",
)

TASK = Task(
    __file__,
    minutes=4,
    concepts=("jacobians",),
    section="One neuron, many samples",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)


def nets(samples: int, *shown: str) -> Draw:
    """A net, one of its neurons, that many samples."""

    def draw(source: Random) -> tuple[Program]:
        i, o = source.randint(2, 3), source.randint(3, 4)
        model = made(source, "model", net(source, i, o)) + flatter("model[0]")
        text = f"""{model}X = {tensor_text(source, (samples, i))}
result = neuron_gradient(model, X, {source.randrange(o)})
"""
        return (Program(text, shown),)

    return draw


@TASK.check(
    "one sample, and all as it was",
    points=1,
    cases="one sample",
    draw=nets(1, "result"),
    draws=1,
    damage=True,
)
def test_neuron_gradient_of_one_sample(answers: Answers) -> None:
    """The right neuron, counted from 0; X and the modes stay."""
    answers.agree()


@TASK.check("a batch", points=2, cases="batch", draw=with_ends(nets(4, "result")))
def test_neuron_gradient_of_a_batch(answers: Answers) -> None:
    """A row for each sample."""
    answers.agree()
