"""conv_weight_gradient: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch.nn import functional

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.models import randn, seed_line
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference


def pair_of(kernel_size: int | tuple[int, int]) -> tuple[int, int]:
    """Height and width."""
    return (kernel_size, kernel_size) if isinstance(kernel_size, int) else tuple(kernel_size)


def unfolded_product(
    x: torch.Tensor, upstream: torch.Tensor, kernel_size: int | tuple[int, int], stride: int = 1, padding: int = 0
) -> torch.Tensor:
    high, wide = pair_of(kernel_size)
    windows = functional.unfold(x, (high, wide), padding=padding, stride=stride)  # (batch, in * kh * kw, places)
    found = torch.einsum("bop,bip->oi", upstream.flatten(2), windows)
    return found.reshape(upstream.shape[1], x.shape[1], high, wide)


def _conv_autograd(
    replay: Replay,
    x: torch.Tensor,
    upstream: torch.Tensor,
    kernel_size: int | tuple[int, int],
    stride: int = 1,
    padding: int = 0,
) -> torch.Tensor:
    """Autograd, which the task forbids: what was counted is taken back."""
    shape = (upstream.shape[1], x.shape[1], *pair_of(kernel_size))
    weight = torch.zeros(shape, dtype=x.dtype, requires_grad=True)
    output = functional.conv2d(x, weight, stride=stride, padding=padding)
    (found,) = torch.autograd.grad(output, weight, upstream)
    replay.names["passes"].clear()
    replay.names["run"].counts.clear()
    return found


REFERENCE = program_reference(
    "conv_weight_gradient",
    unfolded_product,
    "a product of unfolded windows and the upstream gradient",
    _conv_autograd,
    "autograd in float64",
)

TASK = Task(
    __file__,
    minutes=20,
    concepts=("upstream", "accumulation"),
    section="The backward of a convolution",
    reference=REFERENCE,
    core=False,
)

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


@TASK.check("pixel by pixel", points=3, cases="plain", draw=with_ends(plain))
def test_conv_weight_gradient(answers: Answers) -> None:
    """A square kernel, stride 1, no padding; by hand."""
    answers.agree()


@TASK.check("stride and padding", points=3, cases="strided", draw=strided)
def test_conv_weight_gradient_with_stride_and_padding(answers: Answers) -> None:
    """No pixel is left over; by hand."""
    answers.agree()


@TASK.check("oblong kernels, pixels left over", points=2, cases="leftovers", draw=leftovers)
def test_conv_weight_gradient_with_leftovers(answers: Answers) -> None:
    """A pair as kernel_size; by hand."""
    answers.agree()
