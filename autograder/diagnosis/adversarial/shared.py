"""What several tasks of exercise 10 share: ways to go wrong with a direction, and `.grad` that is not as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  (its usual name)

from autograder.comparison import agree
from autograder.diagnosis.cnn.shared import as_found
from autograder.diagnosis.hypothesis import CONFIRMED, Mistake
from autograder.references.adversarial.attacks import slope
from autograder.references.cnn.inner import leaf_of

Way = Callable[[nn.Module, torch.Tensor, torch.Tensor], torch.Tensor]
"""From model, images and classes to what is added to the images, times a step."""


class Grads(Mistake):
    """Right but for the parameters' `.grad`: something is in it that was not, or nothing any more."""

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """Confirmed where that is so."""
        if not isinstance(expected, dict) or not isinstance(got, dict):
            return None
        wrong = {key: value for key, value in expected.items() if not agree(got.get(key), value)}
        if not wrong or not all(".grad for " in key for key in wrong):
            return None
        seen = [one for key in wrong for one in got.get(key) or ()]
        cleared = all(one is None or not bool(torch.as_tensor(getattr(one, "data", one)).any()) for one in seen)
        return CONFIRMED if cleared == (self.name == GRADS_CLEARED) else None


GRADS_CLEARED = "gradients cleared"
GRADS = (
    Grads(
        "gradients filled",
        "`.grad` of the model's parameters is not what it was: a backward pass through the whole model added to it. "
        "Which function returns the gradient of the input alone?",
    ),
    Grads(
        GRADS_CLEARED,
        "`.grad` of the model's parameters was cleared. Somebody may be in the middle of collecting gradients there; "
        "leave them as they are.",
    ),
)


def things_as_found(task: str, right: Callable[..., Any], image_at: int, image_is: str) -> tuple[Mistake, ...]:
    """Right numbers, and something is not what it was: image, parameters, modes, `.grad`."""
    return (*as_found(task, right, image_at, image_is), *GRADS)


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


def of_predictions(model: nn.Module, x: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """Against what the model reads."""
    return uphill(model, x, read(model, x))


def of_the_batch(model: nn.Module, x: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """One direction for all images."""
    return slope(model, x, classes).sum(0, keepdim=True).sign()


def _squares(said: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """The distance from a target that is 1 for the class and 0 for the others."""
    return F.mse_loss(said, F.one_hot(classes, said.shape[1]).to(said.dtype))


WAYS: dict[str, tuple[str, tuple[Way, ...]]] = {
    "the other way": (
        "Every pixel goes in the opposite direction. Should the loss rise or fall, and which sign does the step need?",
        (lambda *given: -uphill(*given),),
    ),
    "gradient without its sign": (
        "The gradient itself was added, or a scaled one, and pixels move by different amounts. Every pixel is to move "
        "by the same amount.",
        (
            slope,
            lambda *given: (g := slope(*given)) / g.abs().max(),
            lambda *given: (g := slope(*given)) / g.norm(),
            lambda *given: (g := slope(*given)) / g.flatten(1).norm(dim=1)[:, None, None, None],
            lambda *given: (g := slope(*given)) / g.abs().amax((1, 2, 3), keepdim=True),
            lambda *given: len(given[1]) * slope(*given),
        ),
    ),
    "softmax twice": (
        "`cross_entropy` got probabilities. It takes logits and has a softmax inside; with a second one some signs "
        "turn.",
        (sign_of(lambda logits, classes: F.cross_entropy(logits.softmax(1), classes)),),
    ),
    "of the logit": (
        "This goes along the gradient of a single logit. In the cross entropy all logits take part.",
        (
            sign_of(lambda logits, classes: -logits.gather(1, classes[:, None]).sum()),
            sign_of(lambda logits, classes: -logits[:, classes].sum()),
        ),
    ),
    "another loss": (
        "The step goes up a mean squared error between what the model says and a target that is 1 for one class. The "
        "loss is the cross entropy.",
        (sign_of(_squares), sign_of(lambda logits, classes: _squares(logits.softmax(1), classes))),
    ),
    "one direction for the batch": (
        "All images moved in the same direction. Each image has a gradient of its own.",
        (of_the_batch,),
    ),
}
"""Wrong directions, and what to say of them."""
