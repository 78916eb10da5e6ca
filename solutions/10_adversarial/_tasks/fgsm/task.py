"""fgsm: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.attempts import redrawn
from autograder.checks.draws.ends import TINY, with_ends
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, before_first_use, program_reference

from ..attacks import slope, stepped, walk_by_differences
from ..networks import AT_THE_EDGES, INNER, Drawn, is_telling, radius


def _fgsm_numeric(replay: Replay, model: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> torch.Tensor:
    return torch.from_numpy(walk_by_differences(model, x, y, epsilon, [epsilon])).to(x.dtype)


REFERENCE = program_reference(
    "fgsm",
    stepped,
    "autograd in float64",
    _fgsm_numeric,
    "central differences of a cross entropy in numpy, for every pixel",
)

TASK = Task(
    __file__,
    minutes=4,
    concepts=("leaves", "optimisation"),
    section="The fast gradient sign method",
    reference=REFERENCE,
)


def fgsm(*shown: str, edges: bool = False) -> Draw:
    """One step."""

    def make(source: Random) -> Program:
        drawn = Drawn(source, AT_THE_EDGES if edges else INNER)
        epsilon = radius(source, 0.05, 0.3)
        text = f"{drawn.lines}{drawn.labels(source)}result = fgsm(model, x, y, {epsilon})\n"
        return Program(text, shown)

    def clear(program: Program) -> bool:
        names = before_first_use(program, "fgsm")
        return is_telling(slope(names["model"], names["x"], names["y"]))

    return redrawn(make, clear)


@TASK.check("the step", points=2, cases="step", draw=with_ends(fgsm("result"), TINY))
def test_fgsm(answers: Answers) -> None:
    """Right labels and wrong ones."""
    answers.agree()


@TASK.check("the limits 0 and 1", points=1, cases="limits", draw=fgsm("result", edges=True))
def test_fgsm_at_the_limits(answers: Answers) -> None:
    """Black pixels and white ones."""
    answers.agree()


@TASK.check("images and model as they were", points=1, cases="as found", damage=True)
def test_fgsm_leaves_things_as_found(answers: Answers) -> None:
    """The result is detached; `.grad`, modes and frozen parameters stay."""
    answers.agree()
