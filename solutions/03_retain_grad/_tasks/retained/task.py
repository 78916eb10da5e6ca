"""retained: what is right, from two sources, and what is asked."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import gate_either
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

from ..shared import Draw


@dataclasses.dataclass(frozen=True)
class Reading:
    """A tensor of one element with its numbers read out, so that every dtype agrees with it.

    Attributes:
        value: the tensor's number.
        grad: the number in its `.grad`, or None.
        retains_grad, grad_fn, is_leaf: the tensor's own.
    """

    value: float
    grad: float | None
    retains_grad: bool = False
    grad_fn: Any = None
    is_leaf: bool = True

    def item(self) -> float:
        """As a tensor says it."""
        return self.value


def read(tensors: dict[str, torch.Tensor]) -> dict[str, Reading]:
    """What an implementation of `retained` returns, read out."""
    return {name: _read(one) for name, one in tensors.items()}


def _read(tensor: torch.Tensor) -> Reading:
    grad = None if tensor.grad is None else tensor.grad.item()
    return Reading(tensor.item(), grad, tensor.retains_grad, tensor.grad_fn, tensor.is_leaf)


def _retained(x: float, w: float, b: float) -> dict[str, Reading]:
    leaves = (torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in (x, w, b))
    x, w, b = leaves
    u = x * w
    v = u + b
    u.retain_grad()
    v.retain_grad()
    torch.relu(v).backward()
    return read({"x": x, "w": w, "b": b, "u": u, "v": v})


def _double(value: float) -> torch.Tensor:
    return torch.tensor(value, dtype=torch.float64)


def _by_differences(replay: Replay, x: float, w: float, b: float) -> dict[str, Reading]:
    if "passes" in replay.names:
        replay.names["passes"].append("pass")
    u, v = x * w, x * w + b
    rest_of_the_way = {
        "x": (x, lambda t: (t * w + b).clamp(min=0)),
        "w": (w, lambda t: (x * t + b).clamp(min=0)),
        "b": (b, lambda t: (u + t).clamp(min=0)),
        "u": (u, lambda t: (t + b).clamp(min=0)),
        "v": (v, lambda t: t.clamp(min=0)),
    }
    return {
        name: Reading(
            value, numeric.gradient(f, torch.tensor(value, dtype=torch.float64), step=abs(value or v) / 1000).item()
        )
        for name, (value, f) in rest_of_the_way.items()
    }


REFERENCE = program_reference(
    "retained", _retained, "autograd in float64", _by_differences, "central differences from each node to the output"
)

TASK = Task(
    __file__, minutes=6, concepts=("leaves",), section="Retaining the gradient of an inner tensor", reference=REFERENCE
)


def retained(*shown: str, also: tuple[str, ...] = ()) -> Draw:
    """`retained` on numbers with v away from 0."""

    def draw(source: Random) -> tuple[Program]:
        x, w, b = gate_either(source)
        return (Program(f"result = retained({x}, {w}, {b})\n", shown, also),)

    return draw


LEAVES = [f"result['{name}'].{part}" for name in "xwb" for part in ("item()", "grad")]
INNER = [f"result['{name}'].{part}" for name in "uv" for part in ("item()", "grad")]

NEAR = ("result['v'].grad is None", "result['x'].is_leaf")
TOLD = (
    "result['u'].retains_grad",
    "result['v'].retains_grad",
    "result['u'].grad_fn in counters.backward_nodes(result['v'])",
    "result['b'].grad is None",
)


@TASK.check("the leaves", points=1, cases="leaves", draw=retained(*LEAVES, also=NEAR))
def test_retained_leaves(answers: Answers) -> None:
    """x, w and b with their gradients."""
    answers.agree()


@TASK.check("u and v", points=2, cases="inner", draw=with_ends(retained(*INNER, also=TOLD)))
def test_retained_inner(answers: Answers) -> None:
    """The inner tensors with their gradients."""
    answers.agree()
