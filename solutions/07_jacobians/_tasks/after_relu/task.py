"""after_relu: what is right, from two sources, and what is asked."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import ROWS, matrix


def _gated_weight(replay: Replay, model: nn.Sequential, x: torch.Tensor) -> torch.Tensor:
    weight = model[0].weight.detach().numpy()
    before = weight @ x[0].numpy() + (0 if model[0].bias is None else model[0].bias.detach().numpy())
    return torch.from_numpy(np.where(before[:, None] > 0, weight, 0))


REFERENCE = program_reference(
    "after_relu", matrix, ROWS, _gated_weight, "closed form in numpy: rows of the weight, or 0"
)

TASK = Task(
    __file__,
    minutes=5,
    concepts=("jacobians", "gates"),
    section="ReLU after the layer",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)


def gated_units(*units: str, in_place: bool = False) -> Draw:
    """A Linear layer with units of these kinds, "open", "shut" and "zero", in any order.

    Weights and inputs are multiples of a quarter, so a unit that is meant to be 0 is exactly 0.
    """

    def draw(source: Random) -> tuple[Program]:
        i = source.randint(2, 3)
        x = [_quarters(source) for _ in range(i)]
        if end := span():  # multiples of a power of 2, so that sums stay exact
            x = [source.choice((-1, 1)) * source.randint(5, 7) * 2.0 ** math.floor(math.log2(end[1] / 7)) for _ in x]
        weight = [[_quarters(source) for _ in range(i)] for _ in units]
        size = {"open": 0.25, "shut": -0.25, "zero": 0.0}
        values = [size[unit] * source.randint(1, 8) for unit in source.sample(units, len(units))]
        sums = [sum(w * one for w, one in zip(row, x, strict=True)) for row in weight]
        bias = [value - total for value, total in zip(values, sums, strict=True)]
        flag = "inplace=True" if in_place else ""
        text = f"""model = nn.Sequential(nn.Linear({i}, {len(units)}), nn.ReLU({flag})).double()
with torch.no_grad():
    model[0].weight.copy_(torch.tensor({weight}))
    model[0].bias.copy_(torch.tensor({bias}))
x = torch.tensor({[x]}, dtype=torch.float64)
result = after_relu(model, x)
"""
        return (Program(text, ("result",)),)

    return draw


def _quarters(source: Random) -> float:
    return source.choice((-1, 1)) * source.randint(1, 12) / 4


@TASK.check("open and shut units", points=2, cases="gates", draw=with_ends(gated_units("open", "open", "shut")))
def test_after_relu(answers: Answers) -> None:
    """Rows of the weight, or 0."""
    answers.agree()


@TASK.check("a unit exactly at 0", points=1, cases="at zero", draw=gated_units("open", "zero", "shut"), draws=1)
def test_after_relu_at_zero(answers: Answers) -> None:
    """relu'(0) = 0."""
    answers.agree()


@TASK.check(
    "in place, and all as it was",
    points=1,
    cases="in place",
    draw=gated_units("open", "shut", "shut", in_place=True),
    draws=1,
    damage=True,
)
def test_after_relu_in_place(answers: Answers) -> None:
    """nn.ReLU(inplace=True); x and the modes stay."""
    answers.agree()
