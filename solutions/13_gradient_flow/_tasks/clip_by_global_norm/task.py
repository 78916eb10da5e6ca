"""clip_by_global_norm: what is right, from two sources, and what is asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, of_size, span, with_ends
from autograder.checks.draws.numbers import number
from autograder.checks.task import Allowed, Task
from autograder.comparison import Tolerance
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

Parameters = list[torch.Tensor]


def _clip_by_global_norm(parameters: Parameters, max_norm: float) -> float:
    flat = [one.grad.double().flatten() for one in parameters if one.grad is not None]
    total = torch.cat([*flat, torch.zeros(1, dtype=torch.float64)]).norm().item()
    if not math.isfinite(total):
        raise ValueError("not finite")
    for one in parameters:
        if one.grad is not None and total > max_norm:
            one.grad.mul_(max_norm / total)
    return total


def _by_lists(replay: Replay, parameters: Parameters, max_norm: float) -> float:
    kept = [(one.grad, one.grad.flatten().tolist()) for one in parameters if one.grad is not None]
    entries = [entry for _, numbers in kept for entry in numbers]
    if any(entry != entry or entry - entry != 0 for entry in entries):
        raise ValueError("not finite")
    total = math.sqrt(math.fsum(entry * entry for entry in entries))
    for gradient, numbers in kept if total > max_norm else ():
        shorter = [entry / total * max_norm for entry in numbers]
        gradient.copy_(torch.tensor(shorter, dtype=torch.float64).reshape(gradient.shape))
    return total


REFERENCE = program_reference(
    "clip_by_global_norm",
    _clip_by_global_norm,
    "one long vector in float64",
    _by_lists,
    "lists of numbers, added up exactly",
)

TASK = Task(
    __file__,
    minutes=8,
    concepts=("aliasing", "optimisation"),
    section="Gradient clipping",
    reference=REFERENCE,
    tolerance=Tolerance(relative=1e-4),
    may_change=(Allowed.PARAMETER_GRADS,),
    says={
        "[p.grad is one *]": "a `.grad` is another tensor than before",
        "raised": "the call raised {got}, expected {expected}",
    },
)

GRADIENTS = "[p.grad for p in parameters]"
UNTOUCHED = "[p.grad.nan_to_num(-1.0, 2.0, -2.0) for p in parameters]"
SHAPES = ((2,), (3,), (2, 2), (1, 3), ())
TRIED = """try:
    clip_by_global_norm(parameters, {})
    raised = "nothing"
except ValueError:
    raised = "ValueError"
except NotImplementedError:
    raise
except (RuntimeError, TypeError, ArithmeticError) as error:
    raised = type(error).__name__
"""


def _filled(source: Random, without: int = 0) -> tuple[str, float]:
    """Return lines that make parameters with gradients, `without` of them None, and the global norm."""
    lines, squares = ["parameters = []\n"], 0.0
    for k in range(source.randint(2, 4)):
        shape = source.choice(SHAPES)
        entries = [number(source) for _ in range(math.prod(shape))]
        squares += math.fsum(entry**2 for entry in entries)
        lines += [
            f"parameters.append(nn.Parameter(torch.zeros({shape}, dtype=torch.float64)))\n",
            f"parameters[{k}].grad = torch.tensor({entries}, dtype=torch.float64).reshape({shape})\n",
        ]
    lines += ["parameters.insert(1, nn.Parameter(torch.ones(2, dtype=torch.float64)))\n"] * without
    return "".join(lines), math.sqrt(squares)


def _bound(source: Random, norm: float, low: float, high: float) -> str:
    return str(abs(number(source))) if span() else f"{norm * source.uniform(low, high):.3f}"


def clipped(low: float, high: float, without: int = 0) -> Callable[[Random], tuple[Program]]:
    """Draw a max_norm between two multiples of the norm.

    Args:
        low, high: these multiples.
        without: parameters without a gradient.
    """

    def draw(source: Random) -> tuple[Program]:
        with of_size(None if span() == TINY else span()):  # global norms are above 0.1
            lines, norm = _filled(source, without)
        text = f"{lines}result = clip_by_global_norm(parameters, {_bound(source, norm, low, high)})\n"
        return (Program(text, ("result", GRADIENTS)),)

    return draw


def not_finite(source: Random) -> tuple[Program]:
    """Draw gradients with one entry that is infinite or nan."""
    lines, _ = _filled(source)
    worst = source.choice(("math.inf", "-math.inf", "math.nan"))
    lines += f"parameters[{source.randint(-2, 1)}].grad.view(-1)[-1] = {worst}\n"
    return (Program(lines + TRIED.format(round(source.uniform(0.5, 3), 2)), ("raised", UNTOUCHED)),)


@TASK.check("gradients that are too long", points=2, cases="long", draw=with_ends(clipped(0.1, 0.8)))
def test_clip_by_global_norm(answers: Answers) -> None:
    """Scale all gradients by one number."""
    answers.agree()


@TASK.check("short gradients and None", points=1, cases="short", draw=[clipped(1.2, 3.0), clipped(0.1, 0.8, without=1)])
def test_clip_by_global_norm_short(answers: Answers) -> None:
    """Leave short gradients unchanged, and skip None."""
    answers.agree()


@TASK.check("in place", points=1, cases="in place")
def test_clip_by_global_norm_in_place(answers: Answers) -> None:
    """Keep each `.grad` the same tensor."""
    answers.agree()


@TASK.check("not finite", points=1, cases="not finite", draw=not_finite, draws=2)
def test_clip_by_global_norm_not_finite(answers: Answers) -> None:
    """Raise a ValueError, and leave the gradients unchanged."""
    answers.agree()
