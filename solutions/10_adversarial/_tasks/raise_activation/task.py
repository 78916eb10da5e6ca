"""raise_activation: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.attempts import passing
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.models import ACTIVATIONS, randn, seed_line
from autograder.checks.draws.numbers import positive
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.leaves import in_double, leaf_of
from autograder.references.replay import Replay, before_first_use, program_reference

from ..networks import is_telling


def activation_slope(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int) -> torch.Tensor:
    """The gradient of the neuron, before any ReLU on it, with respect to the input."""
    leaf = leaf_of(x)
    return torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)[0]


def raised(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int, epsilon: float) -> torch.Tensor:
    """One sign step up."""
    return x + epsilon * activation_slope(layer1, layer2, x, k).sign()


def _raised_numeric(
    replay: Replay, layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int, epsilon: float
) -> torch.Tensor:
    first, second = in_double(layer1), in_double(layer2)
    way = numeric.gradient(lambda moved: second(first(moved).clamp(min=0))[0, k], x.double()).numpy()
    return x + epsilon * torch.from_numpy((way > 0).astype(float) - (way < 0)).to(x.dtype)


REFERENCE = program_reference(
    "raise_activation", raised, "autograd in float64", _raised_numeric, "central differences of the neuron"
)

TASK = Task(
    __file__,
    minutes=5,
    concepts=("optimisation",),
    section="One activation raised on purpose",
    reference=REFERENCE,
    says={
        "((result - x).abs() < * + 1e-9).tolist()": "a number is nan, or further than `epsilon` from that of `x`",
    },
)

FIRST = ("nn.Linear({i}, {h})", "nn.Sequential(nn.Linear({i}, 4), nn.{a}(), nn.Linear(4, {h}))")
SECOND = ("nn.Linear({h}, {o})", "nn.Sequential(nn.Linear({h}, {o}), nn.LayerNorm({o}))")
NO_KINK = 1e-3


def raise_activation(*shown: str, is_open: bool = True) -> Draw:
    """Layers of several kinds; the neuron's value is above 0, or below."""

    def with_neuron(source: Random) -> tuple[str, int | None]:
        lines = _layers(source)
        names = before_first_use(Program(lines, ()), "raise_activation")
        return lines, _clear_neuron(names["layer1"], names["layer2"], names["x"], is_open)

    def draw(source: Random) -> tuple[Program]:
        lines, k = passing(lambda: with_neuron(source), lambda drawn: drawn[1] is not None)
        epsilon = positive(source, 0.01, 0.3, most=100)
        return (Program(f"{lines}result = raise_activation(layer1, layer2, x, {k}, {epsilon})\n", shown),)

    return draw


def _layers(source: Random) -> str:
    i, h, o = source.randint(4, 7), source.randint(4, 6), source.randint(3, 5)
    first, second = (
        source.choice(kinds).format(i=i, h=h, o=o, a=source.choice(ACTIVATIONS)) for kinds in (FIRST, SECOND)
    )
    return f"""{seed_line(source)}layer1 = {first}.double()
layer2 = {second}.double()
x = {randn(1, i)}
"""


def _clear_neuron(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, is_open: bool) -> int | None:
    """The first neuron on that side of 0 for which no sign hangs on rounding; None where there is none."""
    with torch.no_grad():
        hidden = layer1(x)
        values = layer2(hidden.relu())[0] * (1 if is_open else -1)
    if hidden.abs().min() < NO_KINK or hidden.max() < NO_KINK:
        return None
    sides = (k for k, value in enumerate(values.tolist()) if value > NO_KINK)
    return next((k for k in sides if is_telling(activation_slope(layer1, layer2, x, k))), None)


@TASK.check("a neuron above 0", points=2, cases="open", draw=with_ends(raise_activation("result")))
def test_raise_activation(answers: Answers) -> None:
    """Among neurons that would rather move otherwise."""
    answers.agree()


@TASK.check("a neuron below 0", points=1, cases="shut", draw=raise_activation("result", is_open=False))
def test_raise_activation_of_a_shut_neuron(answers: Answers) -> None:
    """A ReLU behind it would let nothing through."""
    answers.agree()


@TASK.check("numbers without influence, and all as it was", points=1, cases="as found", damage=True)
def test_raise_activation_leaves_things_as_found(answers: Answers) -> None:
    """Where the gradient is 0, either choice is right."""
    answers.agree()
