"""contributions: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.models import randn, seed_line
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Allowed, Task
from autograder.comparison import Tolerance
from autograder.probes.programs import Program
from autograder.references.leaves import in_double, leaf_of
from autograder.references.replay import Replay, program_reference


def gradient_times_input(h: torch.Tensor, layer: nn.Linear, c: int) -> torch.Tensor:
    leaf = leaf_of(h)
    return (torch.autograd.grad(layer(leaf)[:, c].sum(), leaf)[0] * leaf).detach()


def _by_absence(replay: Replay, h: torch.Tensor, layer: nn.Linear, c: int) -> torch.Tensor:
    """How far the logit falls where one input is set to 0: the layer is linear."""
    wide, found = in_double(layer), torch.empty(h.shape, dtype=torch.float64)
    with torch.no_grad():
        for j in range(h.shape[1]):
            without = h.double().clone()
            without[:, j] = 0
            found[:, j] = (wide(h.double()) - wide(without))[:, c]
    return found.to(h.dtype)


REFERENCE = program_reference(
    "contributions",
    gradient_times_input,
    "gradient by autograd, times activation",
    _by_absence,
    "the fall of the logit where one input is taken away",
)

TASK = Task(
    __file__,
    minutes=4,
    concepts=("leaves",),
    section="Sensitivity and contribution",
    reference=REFERENCE,
    tolerance=Tolerance(of_scale=0.0),  # every entry is one product: a small one beside a large one is as accurate
    may_change=(Allowed.PARAMETER_GRADS,),
)


def linear_layers(*shown: str, bias: bool = True) -> Draw:
    """A Linear layer behind activations, some of which are 0."""

    def draw(source: Random) -> tuple[Program]:
        b, i, o = source.randint(1, 3), source.randint(4, 6), source.randint(2, 4)
        end = "" if bias else ", bias=False"
        text = f"""{seed_line(source)}h = {randn(b, i)}.relu()
layer = nn.Linear({i}, {o}{end}).double()
result = contributions(h, layer, {source.randrange(o)})
"""
        return (Program(text, shown),)

    return draw


@TASK.check("what each input adds", points=2, cases="adds", draw=with_ends(linear_layers("result")))
def test_contributions(answers: Answers) -> None:
    """One sample and several; inputs that are 0."""
    answers.agree()


@TASK.check("a layer without a bias", points=1, cases="no bias", draw=linear_layers("result", bias=False))
def test_contributions_without_a_bias(answers: Answers) -> None:
    """layer.bias is None."""
    answers.agree()
