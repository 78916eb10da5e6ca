"""Programs about one hidden neuron and about linear scores."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.draws.adversarial.networks import Draw, is_telling, names_of, redrawn
from autograder.checks.draws.models import ACTIVATIONS, randn, seed_line
from autograder.checks.draws.numbers import number
from autograder.probes.programs import Program
from autograder.references.adversarial.boundaries import activation_slope

FIRST = ("nn.Linear({i}, {h})", "nn.Sequential(nn.Linear({i}, 4), nn.{a}(), nn.Linear(4, {h}))")
SECOND = ("nn.Linear({h}, {o})", "nn.Sequential(nn.Linear({h}, {o}), nn.LayerNorm({o}))")
NO_KINK = 1e-3


def raise_activation(*shown: str, is_open: bool = True) -> Draw:
    """Layers of several kinds; the neuron's value is above 0, or below."""

    def make(source: Random) -> Program:
        i, h, o = source.randint(4, 7), source.randint(4, 6), source.randint(3, 5)
        first, second = (
            source.choice(kinds).format(i=i, h=h, o=o, a=source.choice(ACTIVATIONS)) for kinds in (FIRST, SECOND)
        )
        text = f"""{seed_line(source)}layer1 = {first}.double()
layer2 = {second}.double()
x = {randn(1, i)}
k = {source.randrange(o)}
result = raise_activation(layer1, layer2, x, k, {round(source.uniform(0.01, 0.3), 2)})
"""
        return Program(text, shown)

    def clear(program: Program) -> bool:
        layer1, layer2, x, k = (names_of(program, "raise_activation")[key] for key in ("layer1", "layer2", "x", "k"))
        with torch.no_grad():
            hidden = layer1(x)
            value = layer2(hidden.relu())[0, k].item()
        if hidden.abs().min() < NO_KINK or hidden.max() < NO_KINK or abs(value) < NO_KINK or (value > 0) != is_open:
            return False
        return is_telling(activation_slope(layer1, layer2, x, k))

    return redrawn(make, clear)


def smallest_epsilon(source: Random) -> tuple[torch.Tensor, float, torch.Tensor]:
    """A linear score, and points on both sides of it."""
    n, rows = source.randint(2, 5), source.randint(2, 4)
    w = torch.tensor([number(source) for _ in range(n)], dtype=torch.float64)
    x = torch.tensor([[number(source) for _ in range(n)] for _ in range(rows)], dtype=torch.float64)
    middle = (x @ w).sort().values
    b = -(middle[0] + middle[-1]).item() / 2 + number(source, 0.01, 0.1)
    return w, round(b, 3), x
