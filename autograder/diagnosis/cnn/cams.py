"""Mistakes of grad_cam."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  (its usual name)

from autograder.diagnosis.cnn.saliencies import SCORES, TARGET_ERRORS, Score
from autograder.diagnosis.cnn.shared import NOTHING_TO_RETAIN, as_found, mistakes_of
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.cnn.heatmaps import cam, maps_and_gradients, of_targets
from autograder.references.cnn.inner import leaf_of

TASK = "grad_cam"
Target = int | torch.Tensor
_mistake = mistakes_of(TASK)


def _mean(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.mean((2, 3), keepdim=True)


def _added(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.sum(1, keepdim=True)


def _from(change: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    """What is made of the maps and their gradient."""
    return lambda *given: change(*maps_and_gradients(*given))


def _after(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    """What is made of the right answer."""
    return lambda *given: change(cam(*given))


def _of(score: Score) -> Callable[[nn.Module, nn.Module, torch.Tensor, Target], torch.Tensor]:
    """The right way from another score than the target's logit."""

    def implementation(features: nn.Module, head: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
        maps = leaf_of(features(image))
        (gradient,) = torch.autograd.grad(score(head(maps), target), maps)
        return _added(maps.detach() * _mean(gradient)).relu()

    return implementation


def _of_image_size(features: nn.Module, head: nn.Module, image: torch.Tensor, target: Target) -> torch.Tensor:
    small = cam(features, head, image, target)
    if small.shape[2:] == image.shape[2:]:
        raise ValueError("the maps have the image's size")
    return F.interpolate(small, size=image.shape[2:], mode="bilinear", align_corners=False)


GRAD_CAM = (
    *_mistake(
        "relu forgotten",
        "Some numbers are below 0: places that speak against the target. The last step is a ReLU.",
        _from(lambda maps, gradient: _added(maps * _mean(gradient))),
    ),
    *_mistake(
        "absolute value for relu",
        "Places that speak against the target count as if they spoke for it: the absolute value was taken where a ReLU "
        "belongs.",
        _from(lambda maps, gradient: _added(maps * _mean(gradient)).abs()),
    ),
    *_mistake(
        "gradients added up",
        "The weight of a map is the mean of its gradient over height and width. Here it is the sum.",
        _from(lambda maps, gradient: _added(maps * gradient.sum((2, 3), keepdim=True)).relu()),
    ),
    *_mistake(
        "gradients not averaged",
        "Each place was weighted by its own gradient. In Grad-CAM a map has one weight, the mean of its gradient.",
        _from(lambda maps, gradient: _added(maps * gradient).relu()),
    ),
    *_mistake(
        "maps and gradients exchanged",
        "The maps were averaged, and their means used as weights of the gradients. It is the other way round.",
        _from(lambda maps, gradient: _added(gradient * _mean(maps)).relu()),
    ),
    *_mistake(
        "maps averaged",
        "The weighted maps were averaged. They are added up.",
        _from(lambda maps, gradient: (maps * _mean(gradient)).mean(1, keepdim=True).relu()),
    ),
    *_mistake(
        "relu before the sum",
        "The ReLU stands before the sum over the maps, so that nothing speaks against the target. It comes last.",
        _from(lambda maps, gradient: _added((maps * _mean(gradient)).relu())),
        _from(lambda maps, gradient: _added(maps * _mean(gradient).relu()).relu()),
        _from(lambda maps, gradient: _added(maps * _mean(gradient.relu())).relu()),
    ),
    *_mistake(
        "one weight for the batch",
        "The weights of the maps are the same for all images: the gradient was averaged over the batch too.",
        _from(lambda maps, gradient: _added(maps * gradient.mean((0, 2, 3), keepdim=True)).relu()),
    ),
    *_mistake(
        "weights left out",
        "The maps were added up as they are. Each has a weight, which comes from the gradient.",
        _from(lambda maps, gradient: _added(maps).relu()),
    ),
    *_mistake(
        "channel axis lost",
        "The numbers are right. The result has the shape (batch, 1, h, w), with one channel.",
        _after(lambda right: right[:, 0]),
    ),
    *_mistake(
        "maps not added up",
        "There is a result for each map. They are added up, and one channel is left.",
        _from(lambda maps, gradient: (maps * _mean(gradient)).relu()),
        _from(lambda maps, gradient: maps * _mean(gradient)),
    ),
    *_mistake(
        "scaled",
        "The numbers were scaled. Pictures are often shown like this; the task asks for the sum's own size.",
        _after(lambda right: right / right.max()),
        _after(lambda right: right / right.amax((1, 2, 3), keepdim=True)),
        _after(lambda right: (right - right.min()) / (right.max() - right.min())),
    ),
    *_mistake(
        "stretched to the image",
        "The result was stretched to the image's size. The task asks for the size of the maps.",
        _of_image_size,
    ),
    *(
        mistake
        for name, (sentence, scores) in SCORES.items()
        for mistake in _mistake(name, sentence, *map(_of, scores))
    ),
    *_mistake(
        "of the probability",
        SCORES["of the probability"][0],
        _of(lambda logits, target: of_targets(logits.log_softmax(1), target).sum()),
    ),
    *as_found(TASK, cam, image_at=2),
    NOTHING_TO_RETAIN,
    *TARGET_ERRORS,
    Mistake(
        "maps computed twice",
        "A gradient was asked for with respect to maps that the logits were not computed from. Maps that are computed "
        "once more are other tensors, with the same numbers.",
        raises="RuntimeError: .* appears? to not have been used in the graph",
    ),
)
