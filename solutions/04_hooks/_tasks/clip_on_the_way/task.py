"""clip_on_the_way: what is right, from two sources, and what is asked."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, of_size, span, with_ends
from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.task import Allowed, Task
from autograder.comparison import Tolerance
from autograder.probes.programs import Program
from autograder.references import Reference
from autograder.references.runs import outcome

from ..shared import LEAF_GRADS, DifferencedPasses, Listener, sum_text, without_hooks


def _clip_on_the_way(t: torch.Tensor, max_norm: float) -> Any:
    def clip(gradient: torch.Tensor) -> torch.Tensor:
        length = torch.linalg.vector_norm(gradient)
        return gradient * (max_norm / length) if length > max_norm else gradient

    return t.register_hook(clip)


def _clip_differences(passes: DifferencedPasses, t: torch.Tensor, max_norm: float) -> Listener:
    def shortened(gradient: torch.Tensor) -> torch.Tensor:
        length = sum(element**2 for element in gradient.reshape(-1).tolist()) ** 0.5
        return gradient / max(1.0, length / max_norm)

    return passes.listen(t, shortened)


REFERENCE = Reference(
    lambda program: outcome(program, "clip_on_the_way", _clip_on_the_way),
    "a hook that returns",
    without_hooks("clip_on_the_way", _clip_differences),
    "central differences: what is cut off at t, pulled back from t to the leaves",
)

CLIPPING = Tolerance(relative=1e-4)

TASK = Task(
    __file__,
    minutes=12,
    concepts=("hooks", "optimisation"),
    section="Scaling and clipping gradients in hooks",
    reference=REFERENCE,
    tolerance=CLIPPING,
    may_change=(Allowed.HOOKS,),
)


def _clipped(source: Random, low: float, high: float, upstream: str = "") -> Program:
    """A tensor of one or two axes whose gradient is known, and a max_norm as a multiple of its length."""
    shape = source.choice(((source.randint(2, 4),), (2, source.randint(2, 3))))
    with of_size(None if span() == TINY else span()):  # `max_norm` is not below 0.01
        numbers = [[number(source) for _ in range(shape[-1])] for _ in range(shape[0] if len(shape) == 2 else 1)]
    length = math.hypot(*(one for row in numbers for one in row))
    most = round(length * source.uniform(low, high), 3)
    arriving = f"torch.tensor({numbers if len(shape) == 2 else numbers[0]}, dtype=torch.float64)"
    made = "1.5 * x" if span() else source.choice(("torch.sin(x) * w", "x * w", "x + w * w"))
    text = (
        f"x = {tensor_text(source, shape, requires_grad=True)}\nw = {tensor_text(source, shape, requires_grad=True)}\n"
        f"t = {made}\na = ({arriving} * t).sum() + (w * w).sum()\n"
        f"handle = clip_on_the_way(t, {most})\na.backward({upstream})\n"
    )
    return Program(text, ("x.grad", "w.grad"))


def too_long(source: Random) -> tuple[Program]:
    """A gradient that must be shortened."""
    return (_clipped(source, 0.4, 0.7),)


def short_enough(source: Random) -> tuple[Program]:
    """A gradient that fits, or is zero."""
    return (_clipped(source, 1.2, 3.0, source.choice(("", "torch.zeros_like(a)"))),)


def only_there(source: Random) -> tuple[Program]:
    """A leaf that shares its gradient's storage with u, and whose `.grad` holds something already."""
    text = sum_text(source)
    text += (
        f"b.grad = 10 * torch.ones_like(b)\nhandle = clip_on_the_way(b, {source.uniform(0.1, 0.6):.2f})\na.backward()\n"
    )
    return (Program(text, LEAF_GRADS),)


def clipped_until_removed(source: Random) -> tuple[Program]:
    """Two passes with the hook, a third without."""
    text = (
        f"{sum_text(source)}handle = clip_on_the_way(u, {source.uniform(0.1, 0.6):.2f})\nseen = []\n"
        "for _ in range(2):\n    x.grad = None\n    a.backward(retain_graph=True)\n    seen.append(x.grad)\n"
        "handle.remove()\nx.grad = None\na.backward()\n"
    )
    return (Program(text, ("seen[0]", "seen[1]", "x.grad", "counters.hooks_on(u)")),)


@TASK.check("long gradients are shortened", points=2, cases="too long", draw=with_ends(too_long))
def test_clip_long(answers: Answers) -> None:
    """By one factor for the whole tensor."""
    answers.agree()


@TASK.check("short gradients and zero pass", points=1, cases="short", draw=short_enough, draws=2)
def test_clip_short(answers: Answers) -> None:
    """Unchanged."""
    answers.agree()


@TASK.check("neighbours and old gradients stay", points=1, cases="only there", draw=only_there, draws=2)
def test_clip_only_there(answers: Answers) -> None:
    """Nothing but the gradient that passes t is scaled."""
    answers.agree()


@TASK.check("until the handle is removed", points=1, cases="handle", draw=clipped_until_removed, draws=2)
def test_clip_handle(answers: Answers) -> None:
    """Every pass before, none after."""
    answers.agree()
