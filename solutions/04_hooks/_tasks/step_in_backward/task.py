"""step_in_backward: what is right, from two sources, and what is asked."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from random import Random
from typing import Any

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.task import Allowed, Task
from autograder.probes.known_state import known_state
from autograder.probes.programs import Program
from autograder.references import Reference, numeric
from autograder.references.replay import Replay
from autograder.references.runs import outcome

from ..shared import DifferencedPasses, Listener


def _step_in_backward(parameters: Iterable[torch.Tensor], lr: float) -> list[Any]:
    def step(parameter: torch.Tensor) -> None:
        with torch.no_grad():
            parameter -= lr * parameter.grad
        parameter.grad = None

    return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]


def _step_by_differences(program: Program) -> dict[str, Any]:
    known: list[torch.Tensor] = []

    def gradient(output: torch.Tensor, tensor: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
        before = tensor.detach().clone()

        def loss_at(moved: torch.Tensor) -> torch.Tensor:
            tensor.data.copy_(moved)
            return replay.names["loss"]()

        found = numeric.gradient(loss_at, before, upstream)
        tensor.data.copy_(before)
        return found

    def leaves() -> list[torch.Tensor]:
        named = [one for one in replay.names.values() if isinstance(one, torch.Tensor)]
        others = [one for one in named if not any(one is parameter for parameter in known)]
        return known + [one for one in others if one.is_leaf and one.requires_grad]

    passes = DifferencedPasses(gradient, leaves)

    def listening(_: Replay, parameters: Iterable[torch.Tensor], lr: float) -> list[Listener]:
        def moved(parameter: torch.Tensor, found: torch.Tensor) -> None:
            parameter.data.sub_(lr * found)

        given = list(parameters)
        known.extend(given)
        return [passes.listen(one, functools.partial(moved, one), consumes=True) for one in given]

    replay = Replay(program, "step_in_backward", listening)
    with known_state(), passes:
        return replay.shown(program.shown)


REFERENCE = Reference(
    lambda program: outcome(program, "step_in_backward", _step_in_backward),
    "post-accumulate-grad hooks",
    _step_by_differences,
    "central differences of the loss, all of them taken before any parameter is moved",
)

TASK = Task(
    __file__,
    minutes=12,
    concepts=("hooks", "optimisation"),
    section="Post-accumulate-grad hooks",
    reference=REFERENCE,
    may_change=(Allowed.HOOKS,),
    says={
        "list(during)": "a hook registered after your call still found a gradient in `.grad`",
        "parameters[0] is w": "`parameters` no longer holds the tensor `w`",
        "[p is q for p, q in zip(parameters, *)]": "`parameters` no longer holds the tensors that it held before",
    },
)

TWO_PASSES = "for _ in range(2):\n    loss().backward()\n"
KINDS = ("linear", "used twice", "two layers")


def _loss_text(source: Random) -> str:
    """Parameters w and b, and a function `loss` of them."""
    rows, width = source.randint(3, 5), source.randint(2, 3)
    kind = source.choice(KINDS)
    shape = (width, width) if kind == "used twice" else (width,)
    text = f"X = {tensor_text(source, (rows, width))}\ny = {tensor_text(source, (rows,))}\n"
    text += f"w = {tensor_text(source, shape, requires_grad=True)}\nb = {tensor_text(source, (), requires_grad=True)}\n"
    prediction = {
        "linear": "X @ w + b",
        "used twice": "(torch.tanh(X @ w) @ w).sum(1) + b",
        "two layers": "torch.tanh(X * b) @ w",
    }[kind]
    return f"{text}\ndef loss():\n    return (({prediction} - y) ** 2).mean()\n\n"


def _rate(source: Random) -> float:
    return round(source.uniform(0.01, 0.08), 3)


def steps(source: Random) -> tuple[Program]:
    """A few steps."""
    text = f"{_loss_text(source)}step_in_backward([w, b], {_rate(source)})\n"
    text += f"for _ in range({source.randint(2, 3)}):\n    loss().backward()\n"
    return (Program(text, ("w.data", "b.data")),)


def at_once(source: Random) -> tuple[Program]:
    """Whether each gradient is gone when the next hook on its parameter runs, and after the passes."""
    text = (
        f"{_loss_text(source)}before, during = [w, b], []\nparameters = [w, b]\n"
        f"step_in_backward(parameters, {_rate(source)})\nfor p in before:\n"
        f"    p.register_post_accumulate_grad_hook(lambda p: during.append(p.grad is None))\n{TWO_PASSES}"
    )
    same = "[p is q for p, q in zip(parameters, before)]"
    return (Program(text, ("list(during)", "w.grad", "b.grad", same, "w.data")),)


def until_removed(source: Random) -> tuple[Program]:
    """Two steps, then the handles are removed, then a pass as usual."""
    text = (
        f"{_loss_text(source)}handles = step_in_backward([w, b], {_rate(source)})\n{TWO_PASSES}"
        "for handle in handles:\n    handle.remove()\nloss().backward()\n"
    )
    shown = ("len(handles)", "w.data", "b.data", "w.grad", "b.grad", "counters.hooks_on(w, b)")
    return (Program(text, shown),)


@TASK.check("the steps", points=2, cases="steps", draw=steps)
def test_step_in_backward(answers: Answers) -> None:
    """As an ordinary loop takes them."""
    answers.agree()


@TASK.check("at once, and the gradient is gone", points=1, cases="at once", draw=at_once, draws=2)
def test_step_at_once(answers: Answers) -> None:
    """While the pass goes on, with the same parameter objects."""
    answers.agree()


@TASK.check("until the handles are removed", points=1, cases="removed", draw=until_removed, draws=2)
def test_step_until_removed(answers: Answers) -> None:
    """Afterwards `.grad` fills as usual."""
    answers.agree()
