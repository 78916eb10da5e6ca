"""latent_gradients: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.models import ACTIVATIONS, randn, seed_line
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.leaves import in_double, leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import FROZEN


def pooled(latent: torch.Tensor) -> torch.Tensor:
    """Twice the mean of each channel: (batch, channels)."""
    return 2 * latent.mean((2, 3))


def gradients_of_latents(
    encoder: nn.Module, decoder: nn.Module, image: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    latent = leaf_of(encoder(image))
    modified = pooled(latent)
    return torch.autograd.grad(decoder(modified).sum(), (modified, latent))


def _latent_numeric(replay: Replay, encoder: nn.Module, decoder: nn.Module, image: torch.Tensor) -> tuple:
    wide = in_double(decoder)
    latent = in_double(encoder)(image.double()).detach()
    of_modified = numeric.gradient(wide, pooled(latent))
    of_latent = numeric.gradient(lambda moved: wide(pooled(moved)), latent)
    return of_modified.to(image.dtype), of_latent.to(image.dtype)


REFERENCE = program_reference(
    "latent_gradients",
    gradients_of_latents,
    "one pass of autograd in float64",
    _latent_numeric,
    "central differences of the loss for every entry of both tensors",
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("leaves",),
    section="Latents between encoder and decoder",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)


def autoencoders(*shown: str, frozen: bool = False) -> Draw:
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


@TASK.check("both gradients", points=3, cases="both", draw=with_ends(autoencoders("result")))
def test_latent_gradients(answers: Answers) -> None:
    """Linear decoders and curved ones."""
    answers.agree()


@TASK.check(
    "frozen parts, and all as it was",
    points=1,
    cases="as found",
    draw=autoencoders("result", frozen=True),
    damage=True,
)
def test_latent_gradients_leaves_things_as_found(answers: Answers) -> None:
    """Neither image nor parameters require a gradient, and they don't afterwards."""
    answers.agree()
