"""raise_activation: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

from autograder.diagnosis import Mistake
from autograder.references.leaves import leaf_of
from autograder.tasks.answers import known, mistake, right, slip, wrong

from .task import activation_slope, raised


def _along(score: Callable[[torch.Tensor, int], torch.Tensor], times: float = 1.0) -> Callable[..., torch.Tensor]:
    """A sign step along the gradient of something made of the neurons."""

    def implementation(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int, epsilon: float) -> torch.Tensor:
        leaf = leaf_of(x)
        (gradient,) = torch.autograd.grad(score(layer2(layer1(leaf).relu()), k), leaf)
        return x + times * epsilon * gradient.sign()

    return implementation


def _nearer_to_a_target(neurons: torch.Tensor, k: int) -> torch.Tensor:
    """Grows as the neurons come nearer to 1 for neuron k and 0 for the others."""
    target = torch.zeros_like(neurons)
    target[0, k] = 1
    return -functional.mse_loss(neurons, target)


def _in_the_first_layer(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int, epsilon: float) -> torch.Tensor:
    leaf = leaf_of(x)
    return x + epsilon * torch.autograd.grad(layer1(leaf)[0, k], leaf)[0].sign()


def _scaled(layer1: nn.Module, layer2: nn.Module, x: torch.Tensor, k: int, epsilon: float) -> torch.Tensor:
    gradient = activation_slope(layer1, layer2, x, k)
    return x + epsilon * gradient / gradient.abs().max()


@mistake("neuron lowered", "The neuron falls, because every number moves in the wrong direction.")
def down():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return x - epsilon * g.sign()


def a_step():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return x + epsilon * g.sign()


slip(
    "a_relu_on_the_neuron",
    within=a_step,
    was="layer2(torch.relu(layer1(leaf)))",
    wrote="torch.relu(layer2(torch.relu(layer1(leaf))))",
    diagnosed="after a ReLU",
    sentence="Neurons above 0 are right, and a neuron below 0 has not moved. After a ReLU such a neuron has no "
    "gradient, and before it, it has.",
    loses=("a neuron below 0",),
)
slip(
    "computed_and_forgotten",
    within=a_step,
    was="return x + epsilon * g.sign()",
    wrote="adversarial = x\n    adversarial + epsilon * g.sign()\n    return adversarial",
    diagnosed="input unchanged",
    sentence="You returned `x` itself. Is the step part of the result, and is the gradient 0 because of a ReLU "
    "on the neuron?",
)
known(
    Mistake(
        "neighbouring neuron",
        "You raised a neuron next to number `k`. `k` counts from 0, and so does an index.",
        _along(lambda neurons, k: neurons[0, (k + 1) % neurons.shape[1]]),
    ),
    Mistake(
        "neuron of the first layer",
        "You raised a neuron of the first layer. Raise a neuron of the second.",
        _in_the_first_layer,
    ),
    Mistake(
        "sum of all neurons",
        "This raises the sum of all neurons. Raise only neuron `k`.",
        _along(lambda neurons, k: neurons.relu().sum()),
    ),
)


@wrong("neighbouring neuron", predicts=True)
def counted_from_one():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k - 1], leaf)
        return x + epsilon * g.sign()


@wrong("neuron of the first layer", predicts=True)
def the_first_layers_neuron():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(torch.relu(layer1(leaf))[0, k], leaf)
        return x + epsilon * g.sign()


@wrong("sum of all neurons", predicts=True)
def the_sum_of_the_neurons():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf))).sum(), leaf)
        return x + epsilon * g.sign()


@wrong("sum of all neurons")
def gradient_retained_at_the_hidden_layer():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        hidden = torch.relu(layer1(leaf))
        hidden.retain_grad()
        neurons = layer2(hidden)
        (g,) = torch.autograd.grad(neurons.sum(), leaf)
        return x + epsilon * g.sign()


@mistake("ReLU between layers missing", "The first layer's output went into the second without the ReLU between them.")
def no_relu_between():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(layer1(leaf))[0, k], leaf)
        return x + epsilon * g.sign()


@mistake(
    "climbs a distance",
    "You made a loss that is small where the neuron is near a target, and the step goes up that loss: "
    "away from the target. In which direction should a distance go?",
)
def as_the_recipe_says():
    import torch
    import torch.nn.functional as F

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        neurons = F.relu(layer2(F.relu(layer1(leaf))))
        neurons.retain_grad()
        target = torch.zeros_like(neurons)
        target[0, k] = 1
        (g,) = torch.autograd.grad(F.mse_loss(neurons, target), leaf)
        return (leaf + epsilon * g.sign()).detach()


@wrong("climbs a distance", predicts=True)
def the_recipe_before_the_relu():
    import torch
    import torch.nn.functional as F

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        neurons = layer2(F.relu(layer1(leaf)))
        target = torch.zeros_like(neurons)
        target[0, k] = 1
        (g,) = torch.autograd.grad(F.mse_loss(neurons, target), leaf)
        return x + epsilon * g.sign()


known(
    Mistake(
        "descends a distance",
        "The step goes down a distance from a target for all neurons, so most of it pulls the others to 0. "
        "Raise only neuron `k`.",
        _along(_nearer_to_a_target),
    ),
    Mistake(
        "gradient without its sign",
        "The numbers move by different amounts, because the gradient itself was added, or a scaled one. "
        "Move each number by `epsilon`.",
        _scaled,
    ),
    Mistake(
        "step of wrong size",
        "The direction is right, and the step has the wrong size. Move each number by `epsilon`.",
        _along(lambda neurons, k: neurons[0, k], 2.0),
        _along(lambda neurons, k: neurons[0, k], 0.5),
    ),
    Mistake(
        "numbers clamped",
        "You clamped numbers to fixed limits. `x` is not an image here, and its numbers may be any.",
        lambda *given: raised(*given).clamp(-1, 1),
    ),
)


@wrong("descends a distance", predicts=True)
def the_recipe_turned_round():
    import torch
    import torch.nn.functional as F

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        neurons = F.relu(layer2(F.relu(layer1(leaf))))
        target = torch.zeros_like(neurons)
        target[0, k] = 1
        (g,) = torch.autograd.grad(F.mse_loss(neurons, target), leaf)
        return x - epsilon * g.sign()


@wrong("gradient without its sign", predicts=True)
def plain_gradient():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return x + epsilon * g


@wrong("gradient without its sign", predicts=True)
def gradient_of_length_one():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return x + epsilon * g / g.norm()


@wrong("step of wrong size", predicts=True)
def epsilon_unused():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return x + g.sign()


@wrong("numbers clamped", predicts=True)
def held_in_an_image():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return (x + epsilon * g.sign()).clamp(0, 1)


@mistake("change instead of result", "You returned how far the numbers move. Return `x` with that added.")
def the_perturbation():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return epsilon * g.sign()


@wrong("requires_grad switched on", loses=("numbers without influence, and all as it was",))
def the_callers_tensor():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        x.requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(x)))[0, k], x)
        return (x + epsilon * g.sign()).detach()


@wrong(".grad changed", loses=("numbers without influence, and all as it was",))
def backward_through_all():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        layer2(torch.relu(layer1(leaf)))[0, k].backward()
        return x + epsilon * leaf.grad.sign()


slip(
    "zeroed_first",
    within=a_step,
    was="def raise_activation(layer1, layer2, x, k, epsilon):",
    wrote="def raise_activation(layer1, layer2, x, k, epsilon):\n    layer1.zero_grad()\n    layer2.zero_grad()",
    diagnosed=".grad cleared",
    loses=("numbers without influence, and all as it was",),
)


@mistake(
    "neuron index out of range",
    "The output has the shape (1, out): the first index is the row, and the second the neuron, counted from 0.",
    raises="IndexError: (index \\d+ is out of bounds|too many indices)",
)
def counted_twice():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[k], leaf)
        return x + epsilon * g.sign()


@wrong("not attempted")
def raise_activation_not_attempted():
    def raise_activation(layer1, layer2, x, k, epsilon):
        raise NotImplementedError  # your code here


@wrong("attached where data was wanted", loses=("numbers without influence, and all as it was",))
def still_attached():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return leaf + epsilon * g.sign()


slip(
    "written_into_x",
    within=a_step,
    was="return x + epsilon * g.sign()",
    wrote="x += epsilon * g.sign()\n    return x",
    diagnosed="numbers changed",
    loses=("numbers without influence, and all as it was",),
)


@wrong("gradient of plain data")
def no_leaf():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        neuron = layer2(torch.relu(layer1(x)))[0, k]
        (g,) = torch.autograd.grad(neuron, x)
        return x + epsilon * g.sign()


@right
def by_backward_without_parameters():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        start = x.detach().clone()
        start.requires_grad = True
        hidden = torch.nn.functional.relu(layer1(start))
        layer2(hidden)[:, k].sum().backward(inputs=[start])
        with torch.no_grad():
            start += epsilon * start.grad.sign()
        return start.detach()


@right
def either_way_where_it_does_not_matter():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        slope = torch.func.grad(lambda one: layer2(layer1(one).clamp(min=0))[0, k])(x)
        return torch.where(slope < 0, x - epsilon, x + epsilon).detach()


@right
def by_the_jacobian():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        J = torch.autograd.functional.jacobian(lambda one: layer2(torch.relu(layer1(one))), x)
        return (x + epsilon * torch.sign(J[0, k])).detach()
