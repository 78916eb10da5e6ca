"""Mistakes of raise_activation: those of a recipe that goes round, and others."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  (its usual name)

from autograder.diagnosis.adversarial.shared import things_as_found
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of
from autograder.references.adversarial.boundaries import activation_slope, raised
from autograder.references.cnn.inner import leaf_of

TASK = "raise_activation"
Score = Callable[[torch.Tensor, int], torch.Tensor]
_mistake = mistakes_of(TASK)


def _along(score: Score, times: float = 1.0, hidden: Callable = torch.relu) -> Callable[..., torch.Tensor]:
    """A sign step along the gradient of something made of the neurons."""

    def implementation(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int, epsilon: float) -> torch.Tensor:
        leaf = leaf_of(x)
        (gradient,) = torch.autograd.grad(score(layer2(hidden(layer1(leaf))), k), leaf)
        return x + times * epsilon * gradient.sign()

    return implementation


def _distance(neurons: torch.Tensor, k: int) -> torch.Tensor:
    """The mean squared distance from a target that is 1 for neuron k and 0 for the others."""
    target = torch.zeros_like(neurons)
    target[0, k] = 1
    return F.mse_loss(neurons, target)


def _of_the_layer_before(score: Score) -> Callable[..., torch.Tensor]:
    """The same step, for a neuron of the first layer."""

    def implementation(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int, epsilon: float) -> torch.Tensor:
        leaf = leaf_of(x)
        return x + epsilon * torch.autograd.grad(score(layer1(leaf), k), leaf)[0].sign()

    return implementation


def _unsigned(scale: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    def implementation(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int, epsilon: float) -> torch.Tensor:
        return x + epsilon * scale(activation_slope(layer1, layer2, x, k))

    return implementation


RAISE_ACTIVATION = (
    *_mistake(
        "lowered",
        "The neuron falls: every number has moved the wrong way.",
        _along(lambda neurons, k: neurons[0, k], -1.0),
    ),
    *_mistake(
        "behind a ReLU",
        "Neurons above 0 are right; one below 0 has not moved. Behind a ReLU it has no gradient; its value before any "
        "ReLU has.",
        _along(lambda neurons, k: neurons.relu()[0, k]),
    ),
    *_mistake(
        "nothing moved",
        "The result is `x`. Did the step go into the result, and is the gradient 0 because a ReLU stands on the "
        "neuron?",
        lambda layer1, layer2, x, k, epsilon: x,
    ),
    *_mistake(
        "the neuron beside it",
        "Another neuron was raised, next to the one that was meant. `k` counts from 0, and so does an index.",
        _along(lambda neurons, k: neurons[0, k - 1]),
        _along(lambda neurons, k: neurons[0, (k + 1) % neurons.shape[1]]),
    ),
    *_mistake(
        "a neuron of the layer before",
        "A neuron of the first layer was raised. The neurons that are meant are those of the second.",
        _of_the_layer_before(lambda hidden, k: hidden.relu()[0, k]),
        _of_the_layer_before(lambda hidden, k: hidden[0, k]),
    ),
    *_mistake(
        "all neurons",
        "This raises the sum of all neurons. Only neuron `k` is asked for.",
        _along(lambda neurons, k: neurons.sum()),
        _along(lambda neurons, k: neurons.relu().sum()),
    ),
    *_mistake(
        "the ReLU between left out",
        "The first layer's output went into the second without the ReLU between them.",
        _along(lambda neurons, k: neurons[0, k], hidden=lambda h: h),
    ),
    *_mistake(
        "uphill on a distance",
        "A loss was made that is small where the neuron is near a target, and the step goes up that loss: away from "
        "the target. In which direction should a distance go?",
        _along(lambda neurons, k: _distance(neurons.relu(), k)),
        _along(_distance),
    ),
    *_mistake(
        "distance of all neurons",
        "The step goes down a distance from a target for all neurons, so most of the effort pulls the others to 0. "
        "Only neuron `k` is to rise.",
        _along(lambda neurons, k: -_distance(neurons.relu(), k)),
        _along(lambda neurons, k: -_distance(neurons, k)),
    ),
    *_mistake(
        "a step without its sign",
        "The numbers move by different amounts: the gradient itself was added, or a scaled one. Each is to move by "
        "`epsilon`.",
        _unsigned(lambda gradient: gradient),
        _unsigned(lambda gradient: gradient / gradient.abs().max()),
        _unsigned(lambda gradient: gradient / gradient.norm()),
    ),
    *_mistake(
        "too large",
        "The direction is right, the step is not: each number is to move by `epsilon`.",
        lambda layer1, layer2, x, k, epsilon: x + activation_slope(layer1, layer2, x, k).sign(),
        _along(lambda neurons, k: neurons[0, k], 2.0),
        _along(lambda neurons, k: neurons[0, k], 0.5),
    ),
    *_mistake(
        "clamped",
        "Numbers were held in [0, 1]. `x` is not an image here, and may have any numbers.",
        lambda *given: raised(*given).clamp(0, 1),
        lambda *given: raised(*given).clamp(-1, 1),
    ),
    *_mistake(
        "the change alone",
        "This is how far the numbers are to move. The result is `x` with that added.",
        lambda layer1, layer2, x, k, epsilon: raised(layer1, layer2, x, k, epsilon) - x,
    ),
    *things_as_found(TASK, raised, 2, "x"),
    Mistake(
        "no neuron of that number",
        "The output has the shape (1, out): the first index is the row, the second the neuron, counted from 0.",
        raises="IndexError: (index \\d+ is out of bounds|too many indices)",
    ),
)
