"""Mistakes of saliency, and those about the target that Grad-CAM has too."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  (its usual name)

from autograder.diagnosis.cnn.shared import NOTHING_TO_RETAIN, as_found, mistakes_of
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.cnn.heatmaps import of_targets, saliency_map
from autograder.references.cnn.inner import leaf_of

TASK = "saliency"
Target = int | torch.Tensor
Score = Callable[[torch.Tensor, Target], torch.Tensor]
_mistake = mistakes_of(TASK)


def classes(logits: torch.Tensor, target: Target) -> torch.Tensor:
    """A class for each image, as a tensor."""
    return torch.full((len(logits),), target) if isinstance(target, int) else target


def every_class(logits: torch.Tensor, target: Target) -> torch.Tensor:
    """All images' classes taken from each image."""
    return logits[:, target].sum()


SCORES: dict[str, tuple[str, tuple[Score, ...]]] = {
    "of the loss": (
        "This was made from the gradient of the cross entropy. What is asked for is the logit of the target itself.",
        (
            lambda logits, target: F.cross_entropy(logits, classes(logits, target)),
            lambda logits, target: F.cross_entropy(logits, classes(logits, target), reduction="sum"),
        ),
    ),
    "of the probability": (
        "This was made from the gradient of a probability or its logarithm, in which all logits take part. Asked for "
        "is the target's logit alone.",
        (lambda logits, target: of_targets(logits.softmax(1), target).sum(),),
    ),
    "all classes": (
        "All logits were added up. Only the target's is asked for.",
        (lambda logits, target: logits.sum(),),
    ),
    "the predicted class": (
        "This belongs to the class that the network predicts, with the largest logit. It need not be the target.",
        (lambda logits, target: logits.amax(1).sum(),),
    ),
    "every target for every image": (
        "With a target for each image, each image was asked about all of them. `logits[:, target]` is a table; which "
        "of its entries belong together?",
        (every_class,),
    ),
    "mean over the batch": (
        "Everything was divided by the number of images. Each image has a logit of its own.",
        (lambda logits, target: of_targets(logits, target).mean(),),
    ),
    "first image only": (
        "Only the first image has a result, and the others have 0. Each image has its own.",
        (lambda logits, target: of_targets(logits, target)[0],),
    ),
    "first image's target": (
        "Every image was asked about the first image's target. With a tensor, each image has a target of its own.",
        (lambda logits, target: logits[:, int(classes(logits, target)[0])].sum(),),
    ),
}
"""Wrong scores: name, sentence, and from logits and target to what is differentiated."""


TARGET_ERRORS = (
    Mistake(
        "a sample for a class",
        "A class was looked up along the batch. In the logits the images come first and the classes second.",
        raises="IndexError: index \\d+ is out of bounds for dimension 0",
    ),
    Mistake(
        "a vector of logits",
        "There is a logit for each image, and a backward pass begins at one number. See lesson 07, “One neuron, many "
        "samples”.",
        raises="RuntimeError: grad can be implicitly created only for scalar outputs",
    ),
    Mistake(
        "target of the other kind",
        "`target` is an int or an int64 tensor with a class for each image. Both have to be accepted.",
        raises="(TypeError|AttributeError): .*('int'|must be Tensor, not int|got \\(?int|\\(int\\)|int\\b)|"
        "IndexError: index \\d+ is out of bounds|ValueError: only one element tensors can be converted|"
        "RuntimeError: a Tensor with \\d+ elements cannot be converted to Scalar",
    ),
)
"""What a target that was not thought of ends in."""


def _of(score: Score) -> Callable[[nn.Module, torch.Tensor, Target], torch.Tensor]:
    def implementation(model: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
        leaf = leaf_of(image)
        return torch.autograd.grad(score(model(leaf), target), leaf)[0].abs()

    return implementation


def _signed(model: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
    leaf = leaf_of(image)
    return torch.autograd.grad(of_targets(model(leaf), target).sum(), leaf)[0]


def _after(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    return lambda *given: change(saliency_map(*given))


def _times_image(model: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
    return (_signed(model, image, target) * image).abs()


SALIENCY = (
    *_mistake(
        "sign kept",
        "Some numbers are negative. A saliency says how strongly a pixel moves the logit, not in which direction.",
        _signed,
    ),
    *(
        mistake
        for name, (sentence, scores) in SCORES.items()
        for mistake in _mistake(name, sentence, *map(_of, scores))
    ),
    *_mistake(
        "scaled",
        "The numbers were scaled, to the largest or to the sum. Pictures are often shown like this; the task asks for "
        "the gradient's own size.",
        _after(lambda right: right / right.max()),
        _after(lambda right: right / right.amax((1, 2, 3), keepdim=True)),
        _after(lambda right: (right - right.min()) / (right.max() - right.min())),
        _after(lambda right: right / right.sum()),
    ),
    *_mistake(
        "channels merged",
        "The channel axis is gone, or merged into one. The result has the shape of `image`.",
        _after(lambda right: right.amax(1)),
        _after(lambda right: right.amax(1, keepdim=True)),
        _after(lambda right: right.sum(1)),
        _after(lambda right: right.mean(1)),
    ),
    *_mistake("squared", "The gradient was squared. Its absolute value is asked for.", _after(torch.square)),
    *_mistake(
        "gradient times image",
        "The gradient was multiplied by the image: a pixel without ink gets 0, however strongly it would "
        "move the logit.",
        _times_image,
    ),
    *as_found(TASK, saliency_map, image_at=1),
    NOTHING_TO_RETAIN,
    *TARGET_ERRORS,
)
