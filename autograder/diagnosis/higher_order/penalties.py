"""Mistakes of gradient_penalty."""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.higher_order.shared import marked, mistakes_of, without_graph
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.nans import NanMistake
from autograder.references.higher_order.by_autograd import gradient_penalty as right
from autograder.references.higher_order.by_autograd import input_gradients, leaf_of
from autograder.references.replay import under

TASK = "gradient_penalty"
_mistake = mistakes_of(TASK)
Penalty = Callable[[nn.Module, torch.Tensor], torch.Tensor]


def _of_norms(combine: Callable[[torch.Tensor], torch.Tensor]) -> Penalty:
    """The penalty as made from the samples' norms."""
    return lambda critic, inputs: combine(input_gradients(critic, inputs).norm(dim=1))


def _of_gradients(combine: Callable[[torch.Tensor], torch.Tensor]) -> Penalty:
    """The penalty as made from the gradients in the shape of the samples."""
    return lambda critic, inputs: combine(input_gradients(critic, inputs).reshape(inputs.shape))


def _with_root(root: Callable[[torch.Tensor], torch.Tensor]) -> Penalty:
    """The norm by hand: a root of the sum of squares."""
    return _of_gradients(lambda g: (root(g.flatten(1).square().sum(1)) - 1).square().mean())


def _in_evaluation(critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    found = right(critic, inputs)
    critic.eval()
    return found


def _in_training(critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    found = right(critic, inputs)
    critic.train()
    return found


def _by_backward(critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(inputs)
    critic(leaf).sum().backward(create_graph=True)
    gradient, leaf.grad = leaf.grad, None  # a leaf and a .grad with a history keep each other for ever
    return (gradient.flatten(1).norm(dim=1) - 1).square().mean()


def _cleared(critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    found = right(critic, inputs)
    critic.zero_grad()
    return found


def _of_parameters(critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    parameters = [parameter for parameter in critic.parameters() if parameter.requires_grad]
    each = torch.autograd.grad(critic(inputs).sum(), parameters, create_graph=True)
    return (torch.cat([one.flatten() for one in each]).norm() - 1) ** 2


def _of_a_copy(critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    unused = sum(parameter.sum() * 0 for parameter in critic.parameters())
    return right(copy.deepcopy(critic), inputs).detach() + unused


GRADIENT_PENALTY = (
    *marked(TASK, right),
    *_mistake(
        "mode changed",
        "A module of the critic is in another mode than before. The task asks for the mode in which it was found.",
        _in_evaluation,
        _in_training,
    ),
    *_mistake(
        "the critic's .grad filled",
        "The number is right, and the parameters' `.grad` changed: `backward` goes on to every leaf. Which call "
        "returns the gradient of the input alone?",
        _by_backward,
    ),
    *_mistake(
        "the critic's .grad cleared",
        "The parameters' `.grad` held something, which is gone. Whoever trains the critic may have put it there.",
        _cleared,
    ),
    *_mistake(
        "not differentiable",
        "The number is right, and nothing leads from it to the parameters: no training step can lower it. See lesson "
        "08, “A loss that contains a gradient”.",
        lambda critic, inputs: right(critic, inputs).detach(),
    ),
    *_mistake(
        "a path, not to these parameters",
        "The number is right, and its gradient with respect to the critic's parameters is 0. Was a copy of the critic "
        "used, or one part of the graph cut?",
        _of_a_copy,
    ),
    *_mistake(
        "one norm for the batch",
        "All samples went into one norm. Each sample has its own, and its own distance from 1.",
        lambda critic, inputs: (input_gradients(critic, inputs).norm() - 1) ** 2,
    ),
    *_mistake(
        "a norm for each place of the image",
        "A norm was taken along axis 1 only, which in an image counts channels. The norm of a sample goes over all "
        "axes but the batch's.",
        _of_gradients(lambda g: (g.norm(dim=1) - 1).square().mean()),
    ),
    *_mistake(
        "a norm for each row",
        "A norm was taken along the last axis only. The norm of a sample goes over all axes but the batch's.",
        _of_gradients(lambda g: (g.norm(dim=-1) - 1).square().mean()),
    ),
    *_mistake(
        "samples and numbers exchanged",
        "Norms were taken along the batch's axis, one for each number of a sample. A norm belongs to a sample.",
        _of_gradients(lambda g: (g.flatten(1).norm(dim=0) - 1).square().mean()),
    ),
    *_mistake(
        "the mean of the outputs",
        "The gradients are too small by the number of samples: a mean of the outputs was differentiated, not their "
        "sum.",
        lambda critic, inputs: (input_gradients(critic, inputs).norm(dim=1) / len(inputs) - 1).square().mean(),
    ),
    *_mistake(
        "summed over samples",
        "The squares were added up. Asked for is their mean over the samples.",
        _of_norms(lambda norms: (norms - 1).square().sum()),
    ),
    *_mistake(
        "the mean squared",
        "The norms were averaged first and the distance from 1 squared afterwards; norms of 0 and 2 would then be "
        "perfect.",
        _of_norms(lambda norms: (norms.mean() - 1).square()),
    ),
    *_mistake(
        "the 1 forgotten",
        "This is the mean of the squared norms, which pulls them to 0. The goal is 1.",
        _of_norms(lambda norms: norms.square().mean()),
    ),
    *_mistake(
        "the square forgotten",
        "The distances from 1 were averaged without the square.",
        _of_norms(lambda norms: (norms - 1).abs().mean()),
        _of_norms(lambda norms: (norms - 1).mean()),
    ),
    *_mistake(
        "the root forgotten",
        "The squared norm was compared with 1. A norm is the root of the sum of squares.",
        _of_norms(lambda norms: (norms.square() - 1).square().mean()),
    ),
    *_mistake(
        "a sum instead of a norm",
        "The entries, or their sizes, were added up. The Euclidean norm is the root of the sum of their squares.",
        _of_gradients(lambda g: (g.flatten(1).abs().sum(1) - 1).square().mean()),
        _of_gradients(lambda g: (g.flatten(1).sum(1) - 1).square().mean()),
    ),
    *_mistake(
        "only norms above 1",
        "Norms below 1 cost nothing here. That is another penalty; this one pulls from both sides.",
        _of_norms(lambda norms: (norms - 1).clamp(min=0).square().mean()),
    ),
    *_mistake(
        "gradient of the parameters",
        "This is about the gradient with respect to the parameters. The penalty looks at the one with respect to the "
        "input.",
        _of_parameters,
    ),
    NanMistake(
        "the root at 0",
        "The number is right, and its gradient is nan: where a sample's gradient is 0, a square root is differentiated "
        "at 0. See lesson 08, “The norm at zero”.",
        under(TASK, _with_root(torch.sqrt)),
    ),
    *_mistake(
        "a large epsilon under the root",
        "What was added under the root shows: the root of 1e-8 is 1e-4, and a norm of 0 is no longer 0. See lesson 08, "
        "“The norm at zero”.",
        _with_root(lambda squares: (squares + 1e-8).sqrt()),
        _with_root(lambda squares: (squares + 1e-6).sqrt()),
    ),
    without_graph(
        "Something was differentiated that has no graph: X was not made a leaf that requires a gradient before the "
        "critic saw it, or the graph was cut."
    ),
    Mistake(
        "an output for each sample",
        "The critic gives a number for each sample, and `grad` starts from one number. See lesson 07, “One neuron, "
        "many samples”.",
        raises="RuntimeError: grad can be implicitly created only for scalar outputs",
    ),
    Mistake(
        "the output's shape",
        "The critic's output is (batch,) or (batch, 1). What treats only one of them fails on the other.",
        raises="IndexError: too many indices|RuntimeError: Mismatch in shape: grad_output|"
        "IndexError: Dimension out of range",
    ),
    Mistake(
        "a number without its graph",
        "The result is a plain number, not a tensor with its graph; `.item()` and `float` cut it off.",
        raises="AttributeError: 'float' object has no attribute",
    ),
)
