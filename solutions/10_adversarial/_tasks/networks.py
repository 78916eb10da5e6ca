"""The text of small networks and images for attacks, and whether a sign could hang on rounding there."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.draws.ends import span
from autograder.checks.draws.models import ACTIVATIONS, seed_line

from .attacks import slope

NETS = (
    "nn.Sequential(nn.Flatten(), nn.Linear({n}, 4), nn.{a}(), nn.Linear(4, {o}))",
    "nn.Sequential(nn.Conv2d({c}, 3, 2), nn.{a}(), nn.Flatten(), nn.Linear({m}, {o}))",
)

INNER = "torch.rand({shape}, dtype=torch.float64) * 0.2 + 0.4"
"""Images that no step of these exercises drives out of [0, 1]."""
AT_THE_EDGES = "(torch.rand({shape}, dtype=torch.float64) * 1.6 - 0.3).clamp(0, 1)"
TELLING = 1e-4
"""A gradient's smallest entry is at least so large, relative to the largest of its image."""
FURTHER = (1.4, 1.9, 2.6)
"""All steps together reach so many times further than epsilon."""


class Drawn:
    """The text of a network and of its images.

    Attributes:
        lines: they name `model`, whose weights are large enough for a curved loss, and `x`.
        classes: how many.
        batch: how many images.
    """

    def __init__(self, source: Random, images: str = INNER, *, name: str = "x", most: int = 3) -> None:
        self.batch, self.classes = source.randint(2, most), source.randint(3, 4)
        channels, high, wide = source.randint(1, 2), *source.sample((2, 3, 4), 2)
        shape = (self.batch, channels, high, wide)
        if end := span():
            images = f"torch.empty({{shape}}, dtype=torch.float64).uniform_{end}"
        text = source.choice(NETS).format(
            n=channels * high * wide,
            c=channels,
            m=3 * (high - 1) * (wide - 1),
            o=self.classes,
            a=source.choice(ACTIVATIONS),
        )
        self.lines = f"""{seed_line(source)}model = {text}.double()
for p in model.parameters():
    p.data.mul_(3)
{name} = {images.format(shape=", ".join(map(str, shape)))}
"""

    def labels(self, source: Random, name: str = "y", images: str = "x") -> str:
        """A line that makes labels: what the network reads for one image, something else for the others."""
        moved = [0, *(source.randrange(1, self.classes) for _ in range(self.batch - 1))]
        source.shuffle(moved)
        return f"{name} = (model({images}).argmax(1) + torch.tensor({moved})) % {self.classes}\n"


def radius(source: Random, low: float, high: float) -> float:
    """A number in this range; at the lower end of the promised sizes less than images there are above 0."""
    if end := span():
        return float(f"{source.uniform(1.1e-6, 0.9 * end[0]):.3g}")
    return round(source.uniform(low, high), 2)


def sizes_of_walk(source: Random) -> tuple[float, float, int]:
    """A radius, a step and how many: together they reach further than the radius."""
    epsilon, iterations = radius(source, 0.1, 0.3), source.randint(3, 5)
    step = source.choice(FURTHER) * epsilon / iterations
    return epsilon, max(1e-6, float(f"{step:.3g}")) if span() else round(step, 2), iterations


def is_telling(gradient: torch.Tensor) -> bool:
    """Whether no sign hangs on rounding."""
    sizes = gradient.abs().flatten(1)
    return bool((sizes > TELLING * sizes.amax(1, keepdim=True)).all())


def end_of_walk(
    model: nn.Module, x: torch.Tensor, classes: torch.Tensor, epsilon: float, step: float, iterations: int
) -> torch.Tensor | None:
    """Where a walk ends; None where a sign hangs on rounding at one of its steps."""
    low, high, now = (x - epsilon).clamp(min=0), (x + epsilon).clamp(max=1), x
    for _ in range(iterations):
        way = slope(model, now, classes)
        if not is_telling(way):
            return None
        now = torch.clamp(now + step * way.sign(), low, high)
    return now
