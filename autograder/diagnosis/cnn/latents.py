"""Mistakes of latent_gradients."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.cnn.shared import NOTHING_TO_RETAIN, as_found, mistakes_of
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.cnn.inner import leaf_of, pooled

TASK = "latent_gradients"
Pair = tuple[torch.Tensor, torch.Tensor]
_mistake = mistakes_of(TASK)


def _with(
    pool: Callable[[torch.Tensor], torch.Tensor] = pooled,
    loss: Callable[[torch.Tensor], torch.Tensor] = torch.sum,
) -> Callable[[nn.Module, nn.Module, torch.Tensor], Pair]:
    """The right way with another modification or another loss."""

    def implementation(encoder: nn.Module, decoder: nn.Module, image: torch.Tensor) -> Pair:
        latent = leaf_of(encoder(image))
        modified = pool(latent)
        return torch.autograd.grad(loss(decoder(modified)), (modified, latent))

    return implementation


_right = _with()


def _after(change: Callable[[torch.Tensor, torch.Tensor], tuple]) -> Callable[..., tuple]:
    """What is made of the right pair (d_modified, d_latent)."""
    return lambda *given: change(*_right(*given))


def _values(encoder: nn.Module, decoder: nn.Module, image: torch.Tensor) -> Pair:
    latent = encoder(image).detach()
    return pooled(latent), latent


def _without_decoder(encoder: nn.Module, decoder: nn.Module, image: torch.Tensor) -> Pair:
    latent = leaf_of(encoder(image))
    modified = pooled(latent)
    return torch.autograd.grad(modified.sum(), (modified, latent))


LATENT_GRADIENTS = (
    *_mistake(
        "no retain_grad",
        "`latent` and `modified` are inner tensors, and their `.grad` is None unless each was asked to keep it before "
        "the backward pass. See lesson 03, “Retaining the gradient of an inner tensor”.",
        _after(lambda d_modified, d_latent: (None, None)),
        _after(lambda d_modified, d_latent: (d_modified, None)),
        _after(lambda d_modified, d_latent: (None, d_latent)),
    ),
    *_mistake(
        "the 2 lost",
        "These are the gradients for the mean alone. `modified` is twice the mean.",
        _with(pool=lambda latent: latent.mean((2, 3))),
    ),
    *_mistake(
        "a sum for the mean",
        "These are the gradients for the sum over height and width. `modified` is made of the mean: each position has "
        "a small share.",
        _with(pool=lambda latent: 2 * latent.sum((2, 3))),
    ),
    *_mistake(
        "no share for each position",
        "`d_latent` is that of a latent with one position. The mean spreads `d_modified` over all of them. How much "
        "does each get?",
        _after(lambda d_modified, d_latent: (d_modified, d_latent * d_latent[0, 0].numel())),
        _after(lambda d_modified, d_latent: (d_modified, d_latent * d_latent[0, 0].numel() / 2)),
    ),
    *_mistake(
        "position axes lost",
        "`d_latent` has one number a channel. The latent has height and width too, and so has its gradient.",
        _after(lambda d_modified, d_latent: (d_modified, d_latent.mean((2, 3)))),
        _after(lambda d_modified, d_latent: (d_modified, d_latent.sum((2, 3)))),
    ),
    *_mistake(
        "loss averaged",
        "These are the gradients of the mean of the decoder's output. The loss is its sum.",
        _with(loss=torch.mean),
    ),
    *_mistake(
        "decoder left out",
        "These are the gradients of the sum of `modified`. The loss comes after the decoder.",
        _without_decoder,
    ),
    *_mistake("the tensors themselves", "These are `modified` and `latent`, not the gradients of them.", _values),
    *as_found(TASK, _right, image_at=2),
    NOTHING_TO_RETAIN,
    Mistake(
        "wrong axes averaged",
        "The decoder was given something else than (batch, channels). Height and width are the axes 2 and 3.",
        raises="RuntimeError: (mat1 and mat2 shapes cannot be multiplied|size mismatch|input must be|"
        "Given normalized_shape|mat1 and mat2 must)",
    ),
    Mistake(
        "the decoder's weight read",
        "A decoder may be made of several layers, and then it has no `weight`. Its weights are the gradient only where "
        "it is one Linear layer.",
        raises="AttributeError: '\\w+' object has no attribute '(weight|bias|out_features|in_features)'",
    ),
)
