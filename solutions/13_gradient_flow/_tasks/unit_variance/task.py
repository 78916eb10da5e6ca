"""unit_variance: what is right, from two sources, and what is asked."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable
from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.models import randn, seed_line
from autograder.checks.task import Task
from autograder.comparison import Tolerance
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

Activation = Callable[[torch.Tensor], torch.Tensor]


def _unit_variance(layers: list[nn.Linear], activation: Activation, x: torch.Tensor) -> None:
    with torch.no_grad():
        for k, layer in enumerate(layers):
            given = activation(x) if k else x
            product = given @ layer.weight.T
            layer.weight.div_(product.sub(product.mean()).square().mean().sqrt())
            if layer.bias is not None:
                layer.bias.fill_(0)
            x = given @ layer.weight.T


def _by_lists(replay: Replay, layers: list[nn.Linear], activation: Activation, x: torch.Tensor) -> None:
    rows = x.tolist()
    for layer in layers:
        products = [
            [sum(a * b for a, b in zip(row, unit, strict=True)) for unit in layer.weight.tolist()] for row in rows
        ]
        spread = statistics.pstdev(number for row in products for number in row)
        layer.weight.data.copy_(layer.weight.data / spread)
        if layer.bias is not None:
            layer.bias.data.copy_(torch.zeros(layer.out_features))
        rows = activation(torch.tensor([[number / spread for number in row] for row in products]).double()).tolist()


REFERENCE = program_reference(
    "unit_variance",
    _unit_variance,
    "torch, layer by layer",
    _by_lists,
    "lists of numbers, and the standard deviation of the library `statistics`",
    second_error=1e-5,
)

TASK = Task(
    __file__,
    minutes=8,
    concepts=("jacobians",),
    section="Initialisation: keep the variance",
    reference=REFERENCE,
    tolerance=Tolerance(relative=1e-4),
    says={"all(layer.weight is w *": "a weight or a bias is another object than before"},
)

ACTIVATIONS = ("torch.tanh", "F.softplus", "F.leaky_relu", "torch.sin", "lambda t: t.abs() - t / 2")
WEIGHTS, BIASES = "[layer.weight for layer in layers]", "[layer.bias for layer in layers]"


def _batch(source: Random, features: int) -> str:
    wide, samples = source.choice((1, 3, 0.1)), randn(source.randint(3, 5), features)
    return samples if span() else f"{wide} * {samples} + {source.randint(0, 2)}"


def chains(fewest: int, most: int, *shown: str) -> Callable[[Random], tuple[Program]]:
    """Draw between `fewest` and `most` layers, with a bias among them.

    Args:
        fewest, most: numbers of layers.
        shown: what is looked at afterwards.
    """

    def draw(source: Random) -> tuple[Program]:
        sizes = [source.randint(2, 4) for _ in range(source.randint(fewest, most) + 1)]
        layers = ", ".join(f"nn.Linear({a}, {b})" for a, b in itertools.pairwise(sizes))
        text = (
            f"{seed_line(source)}layers = [layer.double() for layer in ({layers},)]\n"
            f"x = {_batch(source, sizes[0])}\n"
            f"unit_variance(layers, {source.choice(ACTIVATIONS)}, x)\n"
        )
        return (Program(text, shown),)

    return draw


@TASK.check("a single layer", points=1, cases="one", draw=chains(1, 1, WEIGHTS), draws=2)
def test_unit_variance_of_one(answers: Answers) -> None:
    """Divide by the standard deviation of its output."""
    answers.agree()


@TASK.check("several layers", points=2, cases="several", draw=with_ends(chains(2, 4, WEIGHTS)))
def test_unit_variance_of_several(answers: Answers) -> None:
    """Measure each on what the rescaled layers before it pass on."""
    answers.agree()


@TASK.check("biases", points=1, cases="biases", draw=chains(1, 3, BIASES), draws=2)
def test_unit_variance_biases(answers: Answers) -> None:
    """Ask for 0, or None as before."""
    answers.agree()


@TASK.check("everything else as it was", points=1, cases="as it was", draw=chains(1, 2, "x"), draws=1, damage=True)
def test_unit_variance_as_it_was(answers: Answers) -> None:
    """Compare the parameters, frozen or not, their gradients, and x."""
    answers.agree()
