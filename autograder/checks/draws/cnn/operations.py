"""Programs about the backward of a convolution and of a max pooling."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.models import randn, seed_line
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
BY_HAND = ("len(passes)", "len(duals)", "run.counts['convolution_backward']")
"""What counts the ways that the task forbids."""


def plain(source: Random) -> tuple[Program]:
    """A square kernel that moves pixel by pixel."""
    return _convolution(source, source.randint(1, 3), 1, 0)


def strided(source: Random) -> tuple[Program]:
    """A stride, a padding, or both; no pixel is left over."""
    size, stride, padding = source.choice(((2, 2, 0), (3, 2, 0), (3, 2, 1), (3, 1, 1), (1, 1, 2), (3, 3, 0)))
    return _convolution(source, size, stride, padding)


def leftovers(source: Random) -> tuple[Program]:
    """An oblong kernel and a stride that leaves pixels over."""
    size = source.choice(((2, 3), (3, 2), (1, 2), (3, 1)))
    stride = source.randint(2, 3)
    return _convolution(source, size, stride, source.randint(0, 1), over=source.randint(1, stride - 1))


def _convolution(
    source: Random, size: int | tuple[int, int], stride: int, padding: int, over: int = 0
) -> tuple[Program]:
    kernel = (size, size) if isinstance(size, int) else size
    b, c, o = source.randint(1, 2), source.randint(1, 3), source.randint(2, 3)
    # With a padding wider than the kernel there are more places, so that something is left of the image.
    places = [n + 2 * padding * (padding > 1) for n in source.sample((2, 3, 4), 2)]
    high, wide = ((n - 1) * stride + k - 2 * padding + over for n, k in zip(places, kernel, strict=True))
    named = f", stride={stride}" * (stride != 1) + f", padding={padding}" * (padding != 0)
    text = f"""{seed_line(source)}x = {randn(b, c, high, wide)}
upstream = {randn(b, o, *places)}
with counters.passes_run() as passes, counters.duals_run() as duals, counters.operations_run() as run:
    result = conv_weight_gradient(x, upstream, {size}{named})
"""
    return (Program(text, ("result", *BY_HAND)),)


def pooling(*shown: str, ties: bool = False, over: bool = False) -> Draw:
    """Images of whole numbers, some of them equal where `ties`; pixels are left over where `over`."""

    def draw(source: Random) -> tuple[Program]:
        size, b, c = source.randint(2, 3), source.randint(1, 2), source.randint(1, 2)
        places = source.sample((1, 2, 3), 2)
        more = (source.randint(1, size - 1), source.randint(0, size - 1)) if over else (0, 0)
        high, wide = (n * size + extra for n, extra in zip(places, more, strict=True))
        count = b * c * high * wide
        numbers = [source.randint(-1, 1) for _ in range(count)] if ties else source.sample(range(-count, count), count)
        text = f"""{seed_line(source)}x = torch.tensor({numbers}, dtype=torch.float64).reshape({b}, {c}, {high}, {wide})
upstream = {randn(b, c, *places)}
result = max_pool_gradient(x, upstream, {size})
"""
        return (Program(text, shown),)

    return draw
