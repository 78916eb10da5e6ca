"""Programs about one hidden neuron and about linear scores."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.draws.adversarial.networks import Draw, is_telling, names_of
from autograder.checks.draws.attempts import passing
from autograder.checks.draws.models import ACTIVATIONS, randn, seed_line
from autograder.checks.draws.numbers import number
from autograder.probes.programs import Program
from autograder.references.adversarial.boundaries import activation_slope

FIRST = ("nn.Linear({i}, {h})", "nn.Sequential(nn.Linear({i}, 4), nn.{a}(), nn.Linear(4, {h}))")
SECOND = ("nn.Linear({h}, {o})", "nn.Sequential(nn.Linear({h}, {o}), nn.LayerNorm({o}))")
NO_KINK = 1e-3


def raise_activation(*shown: str, is_open: bool = True) -> Draw:
    """Layers of several kinds; the neuron's value is above 0, or below."""

    def with_neuron(source: Random) -> tuple[str, int | None]:
        lines = _layers(source)
        names = names_of(Program(lines, ()), "raise_activation")
        return lines, _clear_neuron(names["layer1"], names["layer2"], names["x"], is_open)

    def draw(source: Random) -> tuple[Program]:
        lines, k = passing(lambda: with_neuron(source), lambda drawn: drawn[1] is not None)
        epsilon = round(source.uniform(0.01, 0.3), 2)
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


def smallest_epsilon(source: Random) -> tuple[torch.Tensor, float, torch.Tensor]:
    """A linear score, and points on both sides of it."""
    n, rows = source.randint(2, 5), source.randint(2, 4)
    w = torch.tensor([number(source) for _ in range(n)], dtype=torch.float64)
    x = torch.tensor([[number(source) for _ in range(n)] for _ in range(rows)], dtype=torch.float64)
    middle = (x @ w).sort().values
    b = -(middle[0] + middle[-1]).item() / 2 + number(source, 0.01, 0.1)
    return w, round(b, 3), x
