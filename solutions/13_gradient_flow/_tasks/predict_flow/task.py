"""predict_flow: what is right, from two sources, and what is asked."""

from __future__ import annotations

import functools
import statistics
from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

import numpy
import torch
from torch.nn import functional

from autograder.checks.answers import Answers
from autograder.checks.task import Task
from autograder.references import Reference

WIDTH, SAMPLES, SEEDS, STEP = 64, 16, range(3), 1e-6


class Network(NamedTuple):
    """One of the networks: its depth, the scale of its weights, its activation and the kind of its layers."""

    depth: int
    scale: float
    activation: str
    kind: str = "plain"


CASES = {
    "A": Network(50, 1.0, "none"),
    "B": Network(50, 1.0, "relu"),
    "C": Network(50, 2**0.5, "relu"),
    "D": Network(50, 2.0, "relu"),
    "E": Network(5, 1.0, "relu"),
    "F": Network(50, 4.0, "sigmoid"),
    "G": Network(50, 3.0, "tanh"),
    "H": Network(50, 1.0, "relu", "residual"),
    "I": Network(50, 0.1, "relu", "residual"),
    "J": Network(50, 0.5, "relu", "normalised"),
}


def _backward_ratio(network: Network, seed: int) -> float:
    """Divide the norm of the gradient at the input by the norm of the gradient drawn at the output."""
    source = torch.Generator().manual_seed(seed)

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=source, dtype=torch.float64)

    x = h = drawn(SAMPLES, WIDTH).requires_grad_()
    for _ in range(network.depth):
        z = h @ (drawn(WIDTH, WIDTH) * network.scale / WIDTH**0.5)
        z = functional.layer_norm(z, (WIDTH,)) if network.kind == "normalised" else z
        z = z if network.activation == "none" else getattr(torch, network.activation)(z)
        h = h + z if network.kind == "residual" else z
    upstream = drawn(SAMPLES, WIDTH)
    return (torch.autograd.grad(h, x, upstream)[0].norm() / upstream.norm()).item()


ACTIVATIONS: dict[str, Callable[[numpy.ndarray], numpy.ndarray]] = {
    "none": lambda z: z,
    "relu": lambda z: numpy.maximum(z, 0),
    "sigmoid": lambda z: 1 / (1 + numpy.exp(-z)),
    "tanh": numpy.tanh,
}


def _forward_ratio(network: Network, seed: int) -> float:
    """Divide the length of a small change after the network by that before: the mean square is the same both ways.

    The change is made small again after each layer, so that it neither grows out of the linear range nor is lost.
    """
    source = numpy.random.default_rng(seed)

    def layer(h: numpy.ndarray, weight: numpy.ndarray) -> numpy.ndarray:
        z = h @ weight
        if network.kind == "normalised":
            z = (z - z.mean(1, keepdims=True)) / z.std(1, keepdims=True)
        z = ACTIVATIONS[network.activation](z)
        return h + z if network.kind == "residual" else z

    h, v = source.normal(size=(2, SAMPLES, WIDTH))
    ratio = 1.0
    for _ in range(network.depth):
        weight = source.normal(size=(WIDTH, WIDTH)) * network.scale / WIDTH**0.5
        v /= numpy.linalg.norm(v)
        v = (layer(h + STEP * v, weight) - layer(h - STEP * v, weight)) / (2 * STEP)
        ratio *= float(numpy.linalg.norm(v))
        h = layer(h, weight)
    return ratio


def named(ratio: float) -> str:
    """Return the word that the statement has for a ratio."""
    return "vanishes" if ratio < 1e-3 else "explodes" if ratio > 1e3 else "stays"


def _by(ratio: Callable[[Network, int], float]) -> dict[str, str]:
    return {name: named(statistics.median(ratio(case, seed) for seed in SEEDS)) for name, case in CASES.items()}


@functools.cache
def _followed_forwards() -> MappingProxyType[str, str]:
    """Cache the result, because it runs no torch: the diagnosis runs references under an altered autograd."""
    return MappingProxyType(_by(_forward_ratio))


REFERENCE = Reference(
    lambda: dict(_followed_forwards()),
    "small changes followed forwards through the networks, in numpy",
    lambda: _by(_backward_ratio),
    "every network built with other weights, and a gradient sent back through it",
)

TASK = Task(
    __file__, minutes=18, concepts=("gates",), section="A gradient is a product of Jacobians", reference=REFERENCE
)


@TASK.check("at least eight of ten cases", points=2)
def test_predict_most_flows(answers: Answers) -> None:
    """Allow two wrong predictions."""
    answers.tally(allowed=2)


@TASK.check("all ten cases", points=2)
def test_predict_all_flows(answers: Answers) -> None:
    """Allow no wrong prediction."""
    answers.tally()
