"""newton_step: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import numpy as np
import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, with_ends
from autograder.checks.draws.numbers import coefficients, moderate, tensor_text
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import (
    DTYPE,
    THROUGH_POINTS,
    Function,
    gradient_of,
    hessian_of,
    interpolated_gradient,
    interpolated_product,
    one_hots,
    widened,
)


def newton_from(f: Function, x: torch.Tensor) -> torch.Tensor:
    """Where plain Newton goes from x."""
    return x - torch.linalg.solve(hessian_of(f, x), gradient_of(f, x))


def _solved_by_numpy(replay: Replay, f: Function, x: torch.Tensor) -> torch.Tensor:
    """Solved by numpy."""
    f = widened(replay, f, x)
    hessian = torch.stack([interpolated_product(f, x, e) for e in one_hots(x.double())])
    step = np.linalg.solve(hessian.numpy(), interpolated_gradient(f, x).numpy())
    return (x.double() - torch.from_numpy(step)).to(x.dtype)


REFERENCE = program_reference(
    "newton_step",
    newton_from,
    "autograd row by row, torch's solver",
    _solved_by_numpy,
    f"gradient and Hessian from {THROUGH_POINTS}, numpy's solver",
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("second derivatives", "optimisation"),
    section="Newton's method",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)


def curvatures(*shown: str) -> Draw:
    """A function whose curvatures have either sign and are far from 0; inversions counted."""

    def draw(source: Random) -> tuple[Program]:
        n = source.randint(2, 4)
        # Each row of the Hessian has its largest entry on the diagonal, by far: it cannot be singular.
        curvature = [moderate(source, 4, 9) for _ in range(n)]
        wave = source.choice(("torch.sin(x).prod()", "(x[1:] * x[:-1]).sum()", "torch.cos(x.sum())"))
        text = f"""curvature = torch.tensor({curvature}, {DTYPE})
f = lambda x: (curvature * x * x).sum() / 2 + {wave} + ({coefficients(source, (n,))} * x).sum()
x = {tensor_text(source, (n,))}
with counters.operations_run() as run:
    result = newton_step(f, x)
"""
        return (Program(text, shown),)

    return draw


@TASK.check("where it leads", points=3, cases="step", draw=with_ends(curvatures("result"), TINY))
def test_newton_step(answers: Answers) -> None:
    """To minima, maxima and saddles."""
    answers.agree()


@TASK.check(
    "solved and detached",
    points=2,
    cases="solved",
    draw=curvatures("result", "result.requires_grad", 'run.counts["linalg_inv_ex"]', 'run.counts["linalg_pinv"]'),
)
def test_newton_step_by_solving(answers: Answers) -> None:
    """No inverse; no graph behind the result."""
    answers.agree()
