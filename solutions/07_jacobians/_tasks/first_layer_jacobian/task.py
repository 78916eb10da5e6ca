"""first_layer_jacobian: what is right, from two sources, and what is asked."""

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
from autograder.references.leaves import in_double
from autograder.references.replay import Replay, program_reference

from ..shared import DIFFERENCES, ROWS, layer_lines, matrix


def _matrix_numeric(replay: Replay, layer: nn.Module, x: torch.Tensor) -> torch.Tensor:
    wide = in_double(layer)
    return numeric.jacobian(wide, x.double())[0, :, 0].to(x.dtype)


REFERENCE = program_reference("first_layer_jacobian", matrix, ROWS, _matrix_numeric, DIFFERENCES)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("jacobians",),
    section="The Jacobian row by row",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)


def layers(*shown: str, single: bool = False) -> Draw:
    """Layers of any kind; with one output where `single`."""

    def draw(source: Random) -> tuple[Program]:
        lines, i, _ = layer_lines(source, 1 if single else None)
        return (Program(f"{lines}x = {tensor_text(source, (1, i))}\nresult = first_layer_jacobian(layer, x)\n", shown),)

    return draw


@TASK.check("the matrix", points=2, cases="matrix", draw=with_ends(layers("result")))
def test_first_layer_jacobian(answers: Answers) -> None:
    """Layers of several kinds; rows are outputs, columns inputs."""
    answers.agree()


@TASK.check("one output, or one input", points=1, cases="single", draw=layers("result", single=True), draws=1)
def test_first_layer_jacobian_with_a_single_row_or_column(answers: Answers) -> None:
    """Two axes all the same."""
    answers.agree()


@TASK.check("x and the layer as they were", points=1, cases="as found", damage=True)
def test_first_layer_jacobian_leaves_things_as_found(answers: Answers) -> None:
    """The caller's tensor is no leaf of the function; modes stay."""
    answers.agree()
