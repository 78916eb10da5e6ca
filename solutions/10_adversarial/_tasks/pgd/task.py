"""pgd: what is right, from two sources, and what is asked."""

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

from ..attacks import walk_by_differences, walked
from ..networks import AT_THE_EDGES, INNER, Drawn, end_of_walk, sizes_of_walk


def _pgd_numeric(
    replay: Replay,
    model: nn.Module,
    x: torch.Tensor,
    y: torch.Tensor,
    epsilon: float,
    step: float,
    iterations: int,
) -> torch.Tensor:
    return torch.from_numpy(walk_by_differences(model, x, y, epsilon, [step] * iterations)).to(x.dtype)


REFERENCE = program_reference(
    "pgd",
    walked,
    "autograd in float64",
    _pgd_numeric,
    "central differences at every step; one box for both limits, in numpy",
)

TASK = Task(
    __file__,
    minutes=8,
    concepts=("leaves", "optimisation"),
    section="Projected gradient steps (PGD)",
    reference=REFERENCE,
)


def pgd(*shown: str, edges: bool = False) -> Draw:
    """Many steps."""

    def make(source: Random) -> Program:
        drawn = Drawn(source, AT_THE_EDGES if edges else INNER)
        epsilon, step, iterations = sizes_of_walk(source)
        walk = f"epsilon, step, iterations = {epsilon}, {step}, {iterations}\n"
        text = f"{drawn.lines}{drawn.labels(source)}{walk}result = pgd(model, x, y, epsilon, step, iterations)\n"
        return Program(text, shown)

    def clear(program: Program) -> bool:
        names = before_first_use(program, "pgd")
        given = (names[key] for key in ("model", "x", "y", "epsilon", "step", "iterations"))
        return end_of_walk(*given) is not None

    return redrawn(make, clear)


@TASK.check("the steps and the projection", points=3, cases="steps", draw=with_ends(pgd("result"), TINY))
def test_pgd(answers: Answers) -> None:
    """All steps together reach further than epsilon."""
    answers.agree()


@TASK.check("the limits 0 and 1", points=1, cases="limits", draw=pgd("result", edges=True))
def test_pgd_at_the_limits(answers: Answers) -> None:
    """Black pixels and white ones."""
    answers.agree()


@TASK.check("no iterations", points=1, cases="none")
def test_pgd_without_iterations(answers: Answers) -> None:
    """The images come back as they were."""
    answers.agree()


@TASK.check("images and model as they were", points=1, cases="as found", damage=True)
def test_pgd_leaves_things_as_found(answers: Answers) -> None:
    """The result is detached; `.grad`, modes and frozen parameters stay."""
    answers.agree()
