"""directional_derivative: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.numbers import coefficients, tensor_text
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

Function = Callable[[torch.Tensor], torch.Tensor]


def weighted_columns(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return torch.func.jvp(f, (x,), (v,))[1]


def _directional_numeric(replay: Replay, f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    f(x)  # counted
    plain = getattr(f, "__wrapped__", f)
    wide, along = x.double(), v.double()
    far = numeric.STEP / max(1.0, float(along.abs().max()))  # f bends on the way, however fast x moves
    return ((plain(wide + far * along) - plain(wide - far * along)) / (2 * far)).to(x.dtype)


REFERENCE = program_reference(
    "directional_derivative",
    weighted_columns,
    "forward mode",
    _directional_numeric,
    "a central difference along v",
)

TASK = Task(
    __file__,
    minutes=4,
    concepts=("jacobians",),
    section="Jacobian-vector products",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)

FUNCTIONS = (
    "torch.sin({m} @ x) * x.sum()",
    "torch.outer(torch.tanh(x), x * x)",
    "(x * x.roll(1)).exp().mean()",
    "torch.stack([x.prod(), (x / 2).cos().sum()])",
    "F.softplus({m} @ x).cumsum(0)",
)


def functions(*shown: str) -> Draw:
    """Functions of three numbers, with results of several shapes; calls and backward passes counted."""

    def draw(source: Random) -> tuple[Program]:
        body = source.choice(FUNCTIONS[:1] if span() else FUNCTIONS).format(
            m=coefficients(source, (source.randint(2, 4), 3))
        )
        text = f"""f = counters.counted(lambda x: {body})
x = {tensor_text(source, (3,), most=1000)} / 2
v = {tensor_text(source, (3,))}
with counters.passes_run() as passes:
    result = directional_derivative(f, x, v)
"""
        return (Program(text, shown),)

    return draw


@TASK.check(
    "the weighted sum of columns",
    points=2,
    cases="product",
    draw=with_ends(functions("result")),
)
def test_directional_derivative(answers: Answers) -> None:
    """J v in the shape of f(x)."""
    answers.agree()


@TASK.check(
    "in forward mode",
    points=2,
    cases="forward mode",
    draw=functions("result", "len(f.calls) == 1", "len(passes) == 0"),
    draws=1,
)
def test_directional_derivative_in_forward_mode(answers: Answers) -> None:
    """One call of f, no backward pass."""
    answers.agree()
