"""Networks to draw, the logits of targets; mistakes in what is differentiated."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import torch
from torch.nn import functional as F  # noqa: N812  (its usual name)

from autograder.checks.draws.models import ACTIVATIONS, randn, seed_line
from autograder.diagnosis import Mistake

Target = int | torch.Tensor


def of_targets(logits: torch.Tensor, target: Target) -> torch.Tensor:
    """Each image's logit of its target: (batch,)."""
    if isinstance(target, int):
        return logits[:, target]
    return logits.gather(1, target.reshape(-1, 1))[:, 0]


def chosen(logits: torch.Tensor, target: Target) -> torch.Tensor:
    """The sum of the targets' logits, by a mask."""
    mask = torch.zeros_like(logits)
    for row in range(len(logits)):
        mask[row, int(target if isinstance(target, int) else target[row])] = 1
    return (logits * mask).sum()


HEADS = (
    "nn.Sequential(nn.Flatten(), nn.Linear({m} * {h} * {w}, {o}))",
    "nn.Sequential(nn.Flatten(), nn.Linear({m} * {h} * {w}, 4), nn.{a}(), nn.Linear(4, {o}))",
    "nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear({m}, {o}), nn.{a}())",
)


class Parts:
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


FROZEN = ".requires_grad_(False)"

NOTHING_TO_RETAIN = Mistake(
    "tensor requires no gradient",
    "Your program needs a gradient of a tensor that requires none: it was detached, or everything "
    "before it is frozen and the image is plain data. Which tensor could you make a leaf?",
    raises="can't retain_grad on Tensor that has requires_grad=False|"
    "One of the differentiated Tensors does not require grad|element \\d+ of tensors does not require grad|"
    "cannot register a hook on a tensor that doesn't require gradient",
)

Score = Callable[[torch.Tensor, Target], torch.Tensor]


def classes(logits: torch.Tensor, target: Target) -> torch.Tensor:
    """A class for each image, as a tensor."""
    return torch.full((len(logits),), target) if isinstance(target, int) else target


def every_class(logits: torch.Tensor, target: Target) -> torch.Tensor:
    """All images' classes taken from each image."""
    return logits[:, target].sum()


SCORES: dict[str, tuple[str, tuple[Score, ...]]] = {
    "of the loss": (
        "You used the gradient of the cross entropy. Differentiate the logit of the target itself.",
        (
            lambda logits, target: F.cross_entropy(logits, classes(logits, target)),
            lambda logits, target: F.cross_entropy(logits, classes(logits, target), reduction="sum"),
        ),
    ),
    "of the probability": (
        "You used the gradient of a probability or its logarithm, in which all logits take part. "
        "Differentiate the target's logit alone.",
        (lambda logits, target: of_targets(logits.softmax(1), target).sum(),),
    ),
    "sum of all logits": (
        "You added up all logits. Take only the target's.",
        (lambda logits, target: logits.sum(),),
    ),
    "the predicted class": (
        "Your result belongs to the class that the network predicts, with the largest logit. Is that the target?",
        (lambda logits, target: logits.amax(1).sum(),),
    ),
    "every target for every image": (
        "Your program takes the targets of all images for each image. `logits[:, target]` is a table, so "
        "which of its entries belong together?",
        (every_class,),
    ),
    "mean over the batch": (
        "Everything is divided by the number of images. Each image has its own logit.",
        (lambda logits, target: of_targets(logits, target).mean(),),
    ),
    "first image only": (
        "Only the first image has a result, and the others have 0. Each image has its own.",
        (lambda logits, target: of_targets(logits, target)[0],),
    ),
    "first image's target": (
        "You used the first image's target for every image. With a tensor, each image has its own target.",
        (lambda logits, target: logits[:, int(classes(logits, target)[0])].sum(),),
    ),
}
"""Wrong scores: name, sentence, and from logits and target to what is differentiated."""


def wrong_scores(of: Callable[[Score], Callable[..., torch.Tensor]]) -> tuple[Mistake, ...]:
    """Mistakes in what is differentiated.

    Args:
        of: from a score to the task done with it.
    """
    return tuple(Mistake(name, sentence, *map(of, scores)) for name, (sentence, scores) in SCORES.items())


TARGET_ERRORS = (
    Mistake(
        "sample indexed as class",
        "Your program indexes the batch axis with a class. In the logits the first axis is the images and the "
        "second the classes.",
        raises="IndexError: index \\d+ is out of bounds for dimension 0",
    ),
    Mistake(
        "backward from a vector",
        "There is a logit for each image, and a backward pass begins at one number. See lesson 07, “One "
        "neuron, many samples”.",
        raises="RuntimeError: grad can be implicitly created only for scalar outputs",
    ),
    Mistake(
        "target: int or tensor",
        "`target` is an int, or an int64 tensor with a class for each image. Accept both.",
        raises="(TypeError|AttributeError): .*('int'|must be Tensor, not int|got \\(?int|\\(int\\)|int\\b)|"
        "IndexError: index \\d+ is out of bounds|ValueError: only one element tensors can be converted|"
        "RuntimeError: a Tensor with \\d+ elements cannot be converted to Scalar",
    ),
)
"""What a target that was not thought of ends in."""
