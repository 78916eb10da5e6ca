"""Mistakes of feature_map_gradient."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  (its usual name)

from autograder.diagnosis.cnn.shared import NOTHING_TO_RETAIN, as_found, mistakes_of
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.cnn.inner import leaf_of

TASK = "feature_map_gradient"
Layers = tuple[nn.Module, nn.Module, nn.Linear]
_mistake = mistakes_of(TASK)


class _Forward:
    """One run of the network, with a leaf where the first maps begin."""

    def __init__(self, conv1: nn.Module, conv2: nn.Module, fc: nn.Linear, image: torch.Tensor) -> None:
        self.first = leaf_of(conv1(image)).relu()
        self.before = conv2(self.first)
        self.h = self.before.relu()
        self.flat = self.h.flatten(1)
        self.logits = fc(self.flat)


def _of(
    node: str, loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = F.cross_entropy
) -> Callable[..., torch.Tensor]:
    """The gradient of a loss with respect to one of the tensors of a run."""

    def implementation(*given: torch.Tensor) -> torch.Tensor:
        run = _Forward(*given[:4])
        return torch.autograd.grad(loss(run.logits, given[4]), getattr(run, node))[0]

    return implementation


_right = _of("h")


def _chosen(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return logits.gather(1, target[:, None]).sum()


def _times_map(*given: torch.Tensor) -> torch.Tensor:
    return _right(*given) * _Forward(*given[:4]).h.detach()


def _without_relus(first: bool, second: bool) -> Callable[..., torch.Tensor]:
    """The right way through a network that lacks one ReLU or both."""

    def implementation(
        conv1: nn.Module, conv2: nn.Module, fc: nn.Linear, image: torch.Tensor, target: torch.Tensor
    ) -> torch.Tensor:
        maps = conv2(F.relu(conv1(image)) if first else conv1(image))
        leaf = leaf_of(F.relu(maps) if second else maps)
        return torch.autograd.grad(F.cross_entropy(fc(leaf.flatten(1)), target), leaf)[0]

    return implementation


def _none(*given: torch.Tensor) -> None:
    """An inner tensor's .grad."""


FEATURE_MAP_GRADIENT = (
    *_mistake(
        "no retain_grad",
        "`h` is an inner tensor, and its `.grad` is None unless it was asked to keep it before the backward pass. See "
        "lesson 03, “Retaining the gradient of an inner tensor”.",
        _none,
    ),
    *_mistake(
        "before the ReLU",
        "This is the gradient of what goes into the second ReLU: it is 0 wherever a unit is shut. `h` is what comes "
        "out. See lesson 09, “Feature maps before and after the ReLU”.",
        _of("before"),
    ),
    *_mistake(
        "of the flattened maps",
        "The numbers are right, in the shape of `h.flatten(1)`. That is another tensor; `h` itself has four axes.",
        _of("flat"),
    ),
    *_mistake(
        "of the first maps",
        "This is the gradient of the maps behind the first convolution. `h` stands behind the second.",
        _of("first"),
    ),
    *_mistake(
        "loss summed over the batch",
        "These are the gradients of a sum over the images. Cross entropy as it comes takes their mean.",
        _of("h", lambda logits, target: F.cross_entropy(logits, target, reduction="sum")),
    ),
    *_mistake(
        "logits for the loss",
        "This is the gradient of logits. The loss is the cross entropy between them and the target.",
        _of("h", lambda logits, target: logits.sum()),
        _of("h", _chosen),
        _of("h", lambda logits, target: _chosen(logits, target) / len(target)),
    ),
    *_mistake(
        "softmax twice",
        "This is what comes out when the logits pass a softmax before the cross entropy, which has one of its own.",
        _of("h", lambda logits, target: F.cross_entropy(logits.softmax(1), target)),
        _of("h", lambda logits, target: F.nll_loss(logits.softmax(1), target)),
    ),
    *_mistake(
        "gradient times map",
        "The gradient was multiplied by `h`. That is 0 wherever `h` is, and the gradient is not.",
        _times_map,
    ),
    *_mistake(
        "a ReLU left out",
        "A ReLU is missing on the way to `h`: there is one behind each convolution.",
        _without_relus(first=False, second=True),
        _without_relus(first=True, second=False),
        _without_relus(first=False, second=False),
    ),
    *as_found(TASK, _right, image_at=3),
    NOTHING_TO_RETAIN,
    Mistake(
        "flattened too far",
        "`fc` was given something else than (batch, features). `flatten(1)` keeps the batch axis and joins the others.",
        raises="RuntimeError: (mat1 and mat2 shapes cannot be multiplied|size mismatch|shape '.*' is invalid|"
        "mat1 and mat2 must)|ValueError: Expected input batch_size",
    ),
    Mistake(
        "h computed twice",
        "A gradient was asked for with respect to an `h` that the logits were not computed from. Maps that are "
        "computed once more are other tensors, with the same numbers.",
        raises="RuntimeError: .* appears? to not have been used in the graph",
    ),
)
