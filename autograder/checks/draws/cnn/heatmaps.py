"""Programs about saliency and Grad-CAM; smooth networks, so that differences judge them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.models import ACTIVATIONS, randn, seed_line
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
HEADS = (
    "nn.Sequential(nn.Flatten(), nn.Linear({m} * {h} * {w}, {o}))",
    "nn.Sequential(nn.Flatten(), nn.Linear({m} * {h} * {w}, 4), nn.{a}(), nn.Linear(4, {o}))",
    "nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear({m}, {o}), nn.{a}())",
)


class _Parts:
    """The text of features, of a head and of images that fit together."""

    def __init__(self, source: Random, *, each: bool) -> None:
        batch, channels, o = source.randint(2 if each else 1, 3), source.randint(1, 3), source.randint(3, 4)
        maps, high, wide = source.randint(2, 3), *source.sample((4, 5, 6), 2)
        self.seed = seed_line(source)
        self.features = f"nn.Sequential(nn.Conv2d({channels}, {maps}, 3), nn.{source.choice(ACTIVATIONS)}())"
        self.head = source.choice(HEADS).format(m=maps, h=high - 2, w=wide - 2, o=o, a=source.choice(ACTIVATIONS))
        self.image = randn(batch, channels, high, wide)
        targets = [source.randrange(o) for _ in range(batch)]
        targets[-1] = (targets[0] + 1) % o if batch > 1 else targets[0]
        self.target = f"torch.tensor({targets})" if each else str(targets[0])


def saliency(*shown: str, each: bool = False) -> Draw:
    """A network and one class for all images, or one for each."""

    def draw(source: Random) -> tuple[Program]:
        parts = _Parts(source, each=each)
        text = f"""{parts.seed}model = nn.Sequential({parts.features}, {parts.head}).double()
image = {parts.image}
result = saliency(model, image, {parts.target})
"""
        return (Program(text, shown),)

    return draw


def grad_cam(*shown: str, each: bool = False) -> Draw:
    """Features and a head, and one class for all images, or one for each."""

    def draw(source: Random) -> tuple[Program]:
        parts = _Parts(source, each=each)
        text = f"""{parts.seed}features = {parts.features}.double()
head = {parts.head}.double()
image = {parts.image}
result = grad_cam(features, head, image, {parts.target})
"""
        return (Program(text, shown),)

    return draw
