"""Mistakes of fgsm."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.adversarial.shared import WAYS, Way, of_predictions, things_as_found, uphill
from autograder.diagnosis.jacobians.shared import mistakes_of
from autograder.references.adversarial.attacks import stepped

TASK = "fgsm"
_mistake = mistakes_of(TASK)


def _along(way: Way, times: float = 1.0) -> Callable[..., torch.Tensor]:
    def implementation(model: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> torch.Tensor:
        return (x + times * epsilon * way(model, x, y)).clamp(0, 1)

    return implementation


FGSM = (
    *_mistake("nothing moved", "The result is `x`. Did the step go into the result?", lambda model, x, y, epsilon: x),
    *_mistake(
        "against the prediction",
        "The attack goes against what the model reads. A label is given, and need not be the same.",
        _along(of_predictions),
    ),
    *(mistake for name, (said, ways) in WAYS.items() for mistake in _mistake(name, said, *map(_along, ways))),
    *_mistake(
        "limits forgotten",
        "Some pixels are below 0 or above 1. An image has none such.",
        lambda model, x, y, epsilon: x + epsilon * uphill(model, x, y),
    ),
    *_mistake(
        "change clamped",
        "The change was clamped to [0, 1], and not the image: what should have fallen has stayed.",
        lambda model, x, y, epsilon: x + (epsilon * uphill(model, x, y)).clamp(0, 1),
        lambda model, x, y, epsilon: (x + epsilon * uphill(model, x, y).clamp(0, 1)).clamp(0, 1),
    ),
    *_mistake(
        "scaled to the limits",
        "The image was scaled so that its smallest pixel is 0 and its largest 1. Only pixels beyond a limit are to be "
        "changed, to that limit.",
        lambda *given: ((new := _free(*given)) - new.min()) / (new.max() - new.min()),
        lambda *given: ((new := _free(*given)) - _least(new)) / (-_least(-new) - _least(new)),
    ),
    *_mistake(
        "too large",
        "The direction is right, the step is not: each pixel is to move by `epsilon`.",
        _along(uphill, 2.0),
        _along(uphill, 0.5),
        lambda model, x, y, epsilon: (x + uphill(model, x, y)).clamp(0, 1),
    ),
    *_mistake(
        "the change alone",
        "This is how far the pixels are to move. The result is the image with that added.",
        lambda model, x, y, epsilon: epsilon * uphill(model, x, y),
        lambda model, x, y, epsilon: stepped(model, x, y, epsilon) - x,
    ),
    *things_as_found(TASK, stepped, 1, "x"),
)


def _free(model: nn.Module, x: torch.Tensor, y: torch.Tensor, epsilon: float) -> torch.Tensor:
    return x + epsilon * uphill(model, x, y)


def _least(images: torch.Tensor) -> torch.Tensor:
    return images.amin((1, 2, 3), keepdim=True)
