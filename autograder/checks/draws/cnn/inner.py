"""Programs about tensors inside a network: latents, feature maps, contributions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.models import ACTIVATIONS, randn, seed_line
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
FROZEN = ".requires_grad_(False)"


def latent_gradients(*shown: str, frozen: bool = False) -> Draw:
    """An encoder of one or two convolutions, a decoder that is linear or not."""

    def draw(source: Random) -> tuple[Program]:
        b, c, k, o = source.randint(1, 3), source.randint(1, 3), source.randint(2, 4), source.randint(2, 4)
        high, wide = source.sample((4, 5, 6), 2)
        size = source.choice(("2", "3", "(2, 3)"))
        encoder = f"nn.Conv2d({c}, {k}, {size})"
        if source.random() < 0.5:
            encoder = f"nn.Sequential({encoder}, nn.{source.choice(ACTIVATIONS)}(), nn.Conv2d({k}, {k}, 2))"
        # A decoder with a curve in it, so that d_modified shows where it was taken.
        decoder = f"nn.Sequential(nn.Linear({k}, {o}), nn.{source.choice(ACTIVATIONS)}(), nn.Linear({o}, {o}))"
        text = f"""{seed_line(source)}encoder = {encoder}.double(){FROZEN if frozen else ""}
decoder = {decoder}.double(){FROZEN if frozen else ""}
image = {randn(b, c, high, wide)}
result = latent_gradients(encoder, decoder, image)
"""
        return (Program(text, shown),)

    return draw


def feature_map_gradient(*shown: str, frozen: bool = False) -> Draw:
    """Two convolutions of several kinds; about half of the second one's units are shut."""

    def draw(source: Random) -> tuple[Program]:
        b, c, k, m, o = (source.randint(1 if i < 2 else 2, 3) for i in range(5))
        high, wide = source.sample((4, 5, 6), 2)
        padding, stride = source.choice(((0, 1), (1, 1), (1, 2)))
        rows, columns = ((size - 1 + 2 * padding - 2) // stride + 1 for size in (high, wide))
        target = [source.randrange(o) for _ in range(b)]
        end = FROZEN if frozen else ""
        text = f"""{seed_line(source)}conv1 = nn.Conv2d({c}, {k}, 2).double(){end}
conv2 = nn.Conv2d({k}, {m}, 2, stride={stride}, padding={padding}).double(){end}
fc = nn.Linear({m * rows * columns}, {o}).double(){end}
image = {randn(b, c, high, wide)}
target = torch.tensor({target})
result = feature_map_gradient(conv1, conv2, fc, image, target)
"""
        return (Program(text, shown),)

    return draw


def contributions(*shown: str, bias: bool = True) -> Draw:
    """A Linear layer behind activations, some of which are 0."""

    def draw(source: Random) -> tuple[Program]:
        b, i, o = source.randint(1, 3), source.randint(4, 6), source.randint(2, 4)
        end = "" if bias else ", bias=False"
        text = f"""{seed_line(source)}h = {randn(b, i)}.relu()
layer = nn.Linear({i}, {o}{end}).double()
result = contributions(h, layer, {source.randrange(o)})
"""
        return (Program(text, shown),)

    return draw
