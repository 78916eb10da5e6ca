"""What several tasks of exercise 10 use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from autograder.diagnosis import Mistake
from autograder.references.leaves import leaf_of

from .attacks import slope

Way = Callable[[nn.Module, torch.Tensor, torch.Tensor], torch.Tensor]
"""From model, images and classes to what is added to the images, times a step."""


def remade(mistakes: Iterable[Mistake], make: Callable[[Any], Any]) -> tuple[Mistake, ...]:
    """The same mistakes, with what `make` makes of each of their ways."""
    return tuple(Mistake(one.name, one.sentence, *map(make, one.ways)) for one in mistakes)


def sign_of(loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> Way:
    """The direction in which something made of logits and classes rises."""

    def way(model: nn.Module, x: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
        leaf = leaf_of(x)
        return torch.autograd.grad(loss(model(leaf), classes), leaf)[0].sign()

    return way


def uphill(model: nn.Module, x: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """The right direction for an attack against labels."""
    return slope(model, x, classes).sign()


def read(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """The classes that the model reads."""
    with torch.no_grad():
        return model(x).argmax(1)


def of_the_batch(model: nn.Module, x: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """One direction for all images."""
    return slope(model, x, classes).sum(0, keepdim=True).sign()


def _squares(said: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """The distance from a target that is 1 for the class and 0 for the others."""
    return functional.mse_loss(said, functional.one_hot(classes, said.shape[1]).to(said.dtype))


WAYS = (
    Mistake(
        "wrong direction",
        "Every pixel goes in the opposite direction. Should the loss rise or fall, and which sign does the step need?",
        lambda *given: -uphill(*given),
    ),
    Mistake(
        "gradient without its sign",
        "The pixels move by different amounts, because the gradient itself was added, or a scaled one. Move "
        "every pixel by the same amount.",
        slope,
        lambda *given: (g := slope(*given)) / g.abs().max(),
        lambda *given: (g := slope(*given)) / g.norm(),
        lambda *given: (g := slope(*given)) / g.flatten(1).norm(dim=1)[:, None, None, None],
        lambda *given: (g := slope(*given)) / g.abs().amax((1, 2, 3), keepdim=True),
        lambda *given: len(given[1]) * slope(*given),
    ),
    Mistake(
        "softmax twice",
        "You gave `cross_entropy` probabilities. It takes logits and has a softmax inside, and with a "
        "second softmax some signs flip.",
        sign_of(lambda logits, classes: functional.cross_entropy(logits.softmax(1), classes)),
    ),
    Mistake(
        "gradient of a logit",
        "You followed the gradient of single logits. In the cross entropy all logits take part.",
        sign_of(lambda logits, classes: -logits.gather(1, classes[:, None]).sum()),
        sign_of(lambda logits, classes: -logits[:, classes].sum()),
    ),
    Mistake(
        "squared error as loss",
        "You used a mean squared error between the model's output and a target that is 1 for one class. The "
        "loss is the cross entropy.",
        sign_of(_squares),
        sign_of(lambda logits, classes: _squares(logits.softmax(1), classes)),
    ),
    Mistake(
        "one direction for the batch",
        "All images moved in the same direction. Each image has its own gradient.",
        of_the_batch,
    ),
)
"""Wrong directions; their ways go from model, images and classes to what is added to the images, times a step."""
