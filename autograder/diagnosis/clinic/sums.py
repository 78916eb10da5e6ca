"""Mistakes of mean_loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of

_mistake = mistakes_of("mean_loss")
Batches = Iterable[tuple[torch.Tensor, torch.Tensor]]


def _losses(model: nn.Module, loss_fn: Callable, batches: Batches) -> tuple[torch.Tensor, list[int]]:
    """The losses and sizes of all batches, without a graph."""
    with torch.no_grad():
        pairs = [(loss_fn(model(inputs), y), len(inputs)) for inputs, y in batches]
    return torch.stack([loss for loss, _ in pairs]), [size for _, size in pairs]


def _from(pick: Callable[[torch.Tensor, list[int]], torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Another number made of the losses and the sizes; nothing is kept."""
    return lambda model, loss_fn, batches: pick(*_losses(model, loss_fn, batches))


def _kept(detached: bool) -> Callable[..., torch.Tensor]:
    def implementation(model: nn.Module, loss_fn: Callable, batches: Batches) -> torch.Tensor:
        mean = torch.stack([loss_fn(model(inputs), y) for inputs, y in batches]).mean()
        return mean.detach() if detached else mean

    return implementation


def _weighted(losses: torch.Tensor, sizes: list[int]) -> torch.Tensor:
    weights = torch.tensor(sizes, dtype=losses.dtype)
    return (losses * weights).sum() / weights.sum()


def _last_attached(model: nn.Module, loss_fn: Callable, batches: Batches) -> torch.Tensor:
    """Right, kept for no longer than a batch, and connected to a graph at the end."""
    mean = _from(lambda losses, sizes: losses.mean())(model, loss_fn, batches)
    return mean.requires_grad_()


def _filling(model: nn.Module, loss_fn: Callable, batches: Batches) -> torch.Tensor:
    pairs, total, count = batches, 0.0, 0
    for inputs, y in pairs:
        loss = loss_fn(model(inputs), y)
        loss.backward()
        total, count = total + loss.item(), count + 1
    return torch.tensor(total / count)


def _in_mode(training: bool) -> Callable[..., torch.Tensor]:
    def implementation(model: nn.Module, loss_fn: Callable, batches: Batches) -> torch.Tensor:
        model.eval()
        mean = _from(lambda losses, sizes: losses.mean())(model, loss_fn, batches)
        model.train(training)
        return mean

    return implementation


def _grad_off(model: nn.Module, loss_fn: Callable, batches: Batches) -> torch.Tensor:
    mean = _from(lambda losses, sizes: losses.mean())(model, loss_fn, batches)
    torch.set_grad_enabled(False)
    return mean


def _frozen(model: nn.Module, loss_fn: Callable, batches: Batches) -> torch.Tensor:
    model.requires_grad_(False)
    return _from(lambda losses, sizes: losses.mean())(model, loss_fn, batches)


MEAN_LOSS = (
    *_mistake(
        "as given: memory grows with the batches",
        "The mean is right. With more batches, more tensors are kept for a backward pass that never comes: "
        "`counters.tensors_kept()` counts them. See lesson 11, “Memory that grows”.",
        _kept(True),
    ),
    *_mistake(
        "attached, and memory grows",
        "The mean is right, it still carries the graphs of all batches, and more batches keep more tensors.",
        _kept(False),
    ),
    *_mistake(
        "attached to a graph",
        "The mean is right and no memory grows, and the result still requires a gradient. The task asks for it "
        "detached.",
        _last_attached,
    ),
    *_mistake(
        "backward called",
        "`.grad` of the model's parameters was filled. A mean needs no backward pass.",
        _filling,
    ),
    *_mistake(
        "left in another mode",
        "A module is in another mode than before. The task uses the model in the mode in which it is found.",
        _in_mode(True),
        _in_mode(False),
    ),
    *_mistake(
        "parameters frozen",
        "The model's parameters no longer require a gradient. They did before.",
        _frozen,
    ),
    *_mistake(
        "gradients left switched off",
        "The caller's code records no graphs any more. What was switched off must be on again afterwards.",
        _grad_off,
    ),
    *_mistake("sum instead of mean", "The losses were added up and not divided.", _from(lambda all, sizes: all.sum())),
    *_mistake("the last loss alone", "This is the loss of the last batch.", _from(lambda all, sizes: all[-1])),
    *_mistake(
        "the last loss divided",
        "This is the loss of the last batch, divided by the number of batches.",
        _from(lambda all, sizes: all[-1] / len(all)),
    ),
    *_mistake(
        "large batches count more",
        "Each batch was weighted by its size. Here each counts the same.",
        _from(_weighted),
    ),
    *_mistake(
        "divided by the samples",
        "The sum of the batches' losses was divided by the number of samples. Asked for is the mean over batches.",
        _from(lambda all, sizes: all.sum() / sum(sizes)),
    ),
    *_mistake(
        "a moving average",
        "Late batches count more than early ones: this mean forgets.",
        _from(lambda all, sizes: _fading(all)),
    ),
    *_mistake(
        "a list of losses",
        "These are the losses themselves. Asked for is their mean.",
        _from(lambda all, sizes: all.tolist()),
    ),
    Mistake(
        "a length or a place of a generator",
        "`batches` may be a generator, which has no length, no places, and can be run through only once. Count while "
        "you go.",
        raises="TypeError: (object of type '(generator|\\w*iterator)' has no len|'\\w+' object is not subscriptable)"
        "|ZeroDivisionError",
    ),
)


def _fading(losses: torch.Tensor) -> torch.Tensor:
    mean = losses[0]
    for loss in losses[1:]:
        mean = (mean + loss) / 2
    return mean
