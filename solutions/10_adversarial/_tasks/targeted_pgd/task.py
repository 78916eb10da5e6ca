"""targeted_pgd: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy as np
import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.attempts import redrawn
from autograder.checks.draws.ends import TINY, with_ends
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.leaves import in_double
from autograder.references.replay import Replay, before_first_use, program_reference

from ..attacks import walk_by_differences, walked
from ..networks import AT_THE_EDGES, INNER, TELLING, Drawn, end_of_walk, sizes_of_walk


def walked_to(
    model: nn.Module, x: torch.Tensor, target: torch.Tensor, epsilon: float, step: float, iterations: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Many steps towards the targets, and which images are read as theirs."""
    found = walked(model, x, target, epsilon, -step, iterations)
    with torch.no_grad():
        return found, model(found).argmax(1) == target


def _targeted_numeric(
    replay: Replay,
    model: nn.Module,
    x: torch.Tensor,
    target: torch.Tensor,
    epsilon: float,
    step: float,
    iterations: int,
) -> tuple[torch.Tensor, torch.Tensor]:
    found = walk_by_differences(model, x, target, epsilon, [-step] * iterations)
    logits = in_double(model)(torch.from_numpy(found)).detach().numpy()
    wanted = logits[np.arange(len(logits)), target.numpy()]
    return torch.from_numpy(found).to(x.dtype), torch.from_numpy(wanted >= logits.max(1))


REFERENCE = program_reference(
    "targeted_pgd",
    walked_to,
    "autograd in float64",
    _targeted_numeric,
    "central differences at every step; the target's logit against the largest",
)

TASK = Task(__file__, minutes=5, concepts=("leaves", "optimisation"), section="Targeted attacks", reference=REFERENCE)


def targeted_pgd(*shown: str, also: tuple[str, ...] = ()) -> Draw:
    """Many steps towards other classes; some images arrive, or none, or all."""

    def make(source: Random) -> Program:
        drawn = Drawn(source, source.choice((INNER, AT_THE_EDGES)), most=4)
        epsilon, step, iterations = sizes_of_walk(source)
        text = f"""{drawn.lines}{drawn.labels(source, "target")}\
epsilon, step, iterations = {epsilon}, {step}, {iterations}
result, reached = targeted_pgd(model, x, target, epsilon, step, iterations)
"""
        return Program(text, shown, also)

    def clear(program: Program) -> bool:
        names = before_first_use(program, "targeted_pgd")
        model, x, target, epsilon, step, iterations = (
            names[key] for key in ("model", "x", "target", "epsilon", "step", "iterations")
        )
        end = end_of_walk(model, x, target, epsilon, -step, iterations)
        if end is None:
            return False
        best = model(end).topk(2).values
        return bool((best[:, 0] - best[:, 1] > TELLING).all())

    return redrawn(make, clear)


@TASK.check("the images", points=2, cases="images", draw=with_ends(targeted_pgd("result"), TINY))
def test_targeted_pgd(answers: Answers) -> None:
    """Targets that are read already, and others."""
    answers.agree()


@TASK.check("who has arrived", points=2, cases="reached", draw=targeted_pgd("reached", also=("result",)))
def test_targeted_pgd_reached(answers: Answers) -> None:
    """Some images arrive, and some do not."""
    answers.agree()


@TASK.check("images and model as they were", points=1, cases="as found", damage=True)
def test_targeted_pgd_leaves_things_as_found(answers: Answers) -> None:
    """Both results are detached; `.grad`, modes and frozen parameters stay."""
    answers.agree()
