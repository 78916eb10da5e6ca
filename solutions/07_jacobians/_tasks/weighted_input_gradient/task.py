"""weighted_input_gradient: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.leaves import in_double, leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import layer_lines


def weighted_rows(layer: nn.Module, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    return torch.autograd.grad(layer(leaf), leaf, grad_outputs=v)[0]


def _weighted_numeric(replay: Replay, layer: nn.Module, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    replay.names.get("passes", []).append("pass")
    return numeric.gradient(in_double(layer), x.double(), v.double()).to(x.dtype)


REFERENCE = program_reference(
    "weighted_input_gradient",
    weighted_rows,
    "one vector-Jacobian product in float64",
    _weighted_numeric,
    "central differences of the weighted sum",
)

TASK = Task(
    __file__,
    minutes=4,
    concepts=("jacobians", "upstream"),
    section="Vector-Jacobian products",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)


def layers_and_weights(*shown: str) -> Draw:
    """Layers of any kind, their backward passes counted."""

    def draw(source: Random) -> tuple[Program]:
        lines, i, o = layer_lines(source)
        text = f"""{lines}x = {tensor_text(source, (1, i))}
v = {tensor_text(source, (1, o))}
with counters.passes_run() as passes:
    result = weighted_input_gradient(layer, x, v)
"""
        return (Program(text, shown),)

    return draw


@TASK.check("the weighted sum of rows", points=2, cases="product", draw=with_ends(layers_and_weights("result")))
def test_weighted_input_gradient(answers: Answers) -> None:
    """v J in the shape of x."""
    answers.agree()


@TASK.check(
    "in one backward pass, and all as it was",
    points=1,
    cases="one pass",
    draw=layers_and_weights("result", "len(passes)"),
    draws=1,
    damage=True,
)
def test_weighted_input_gradient_in_one_pass(answers: Answers) -> None:
    """Neither a pass for each row nor none."""
    answers.agree()
