"""gradient_penalty: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random
from typing import Any

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, flatter, with_ends
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.draws.torch_modules import Draw, made
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.leaves import in_double, leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import POINTS, THROUGH_POINTS, differentiated, next_derivative, one_hots


def input_gradients(critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """Each sample's gradient as a row, with its graph."""
    leaf = leaf_of(inputs)
    return next_derivative(critic(leaf).sum(), leaf).flatten(1)


def penalty_of(critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """The mean over samples of (norm of the input gradient - 1)**2, with its graph."""
    return (torch.linalg.vector_norm(input_gradients(critic, inputs), dim=1) - 1).square().mean()


def penalty(critic: nn.Module, inputs: torch.Tensor) -> float:
    """The penalty in float64; samples do not mix, so one call of the critic sees every move of every sample."""
    wide = inputs.detach().double()
    moves = torch.tensor(POINTS).reshape(-1, 1, *[1] * wide.dim()) * torch.stack(list(one_hots(wide[0]))).unsqueeze(1)
    moved = wide + moves  # (points, numbers of a sample, batch, ...)
    values = critic(moved.flatten(0, 2)).detach().reshape(moved.shape[:3])
    return float(((differentiated(values).square().sum(0).sqrt() - 1) ** 2).mean())


class _Penalty(torch.autograd.Function):
    """The penalty as a node whose backward is made of differences, for a program that differentiates it."""

    @staticmethod
    def forward(ctx: Any, critic: nn.Module, inputs: torch.Tensor, *parameters: torch.Tensor) -> torch.Tensor:
        ctx.critic, ctx.inputs, ctx.parameters = critic, inputs, parameters
        return torch.tensor(penalty(in_double(critic), inputs), dtype=inputs.dtype)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        wide, found = in_double(ctx.critic), []
        # The penalty of large samples is rounded more; where all weights are small, so is the gradient's length.
        widest = numeric.STEP * max(1.0, float(ctx.inputs.abs().max())) ** 0.5
        for parameter in wide.parameters():
            start = parameter.detach().clone()
            largest = float(start.abs().max())
            step = widest * (largest if 0 < largest < 1e-3 else 1.0)

            def moved(value: torch.Tensor, parameter: nn.Parameter = parameter) -> torch.Tensor:
                parameter.data = value
                return torch.tensor(penalty(wide, ctx.inputs), dtype=torch.float64)

            found.append(numeric.gradient(moved, start, step=step))
            parameter.data = start
        pairs = zip(found, ctx.parameters, strict=True)
        return None, None, *(upstream * one.to(like.dtype) for one, like in pairs)


def _penalty_node(replay: Replay, critic: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """A number with a graph to the critic's parameters."""
    return _Penalty.apply(critic, inputs, *critic.parameters())


REFERENCE = program_reference(
    "gradient_penalty",
    penalty_of,
    "autograd, differentiated once more by the program",
    _penalty_node,
    f"input gradients from {THROUGH_POINTS}; the parameters' by central differences",
)

TASK = Task(
    __file__,
    minutes=10,
    concepts=("second derivatives",),
    section="Gradient penalties: a loss that contains a gradient",
    reference=REFERENCE,
)

BOWL = """class Bowl(nn.Module):
    def __init__(self, *shape):
        super().__init__()
        self.steepness = nn.Parameter(torch.randn(shape))

    def forward(self, X):
        return (self.steepness * X * X).flatten(1).sum(1)


"""
"""A critic whose gradient is 0 where the sample is."""

GRADIENT = """gradient = None
if result.requires_grad:
    each = torch.autograd.grad(result, list(critic.parameters()), materialize_grads=True)
    gradient = torch.cat([one.flatten() for one in each])
"""


def _critic(source: Random) -> tuple[str, tuple[int, ...]]:
    """The text of a critic and the shape of a sample."""
    activation = source.choice(("nn.Tanh()", "nn.Softplus()", "nn.SiLU()", "nn.Sigmoid()"))
    last = source.choice(("", ", nn.Flatten(0)"))  # (batch, 1) or (batch,)
    if source.random() < 0.5:
        i, width = source.randint(2, 3), source.randint(2, 3)
        return f"nn.Sequential(nn.Linear({i}, {width}), {activation}, nn.Linear({width}, 1){last})", (i,)
    channels = source.randint(1, 2)
    net = f"nn.Conv2d({channels}, 2, 2), {activation}, nn.Flatten(), nn.Linear(4, 1){last}"
    return f"nn.Sequential({net})", (channels, 2, 3)


def critics_and_samples(*shown: str) -> Draw:
    """A critic and two or three samples; the penalty's gradient only where it is shown."""

    def draw(source: Random) -> tuple[Program]:
        critic, shape = _critic(source)
        lines = made(source, "critic", critic) + flatter("critic[0]")
        text = f"""{lines}X = {tensor_text(source, (source.randint(2, 3), *shape))}
result = gradient_penalty(critic, X)
{GRADIENT if "gradient" in shown else ""}"""
        return (Program(text, shown),)

    return draw


def flat_sample(source: Random) -> tuple[Program]:
    """One of the samples lies where the critic's gradient is 0."""
    shape = source.choice(((2,), (3,), (1, 2, 2)))
    batch = source.randint(2, 3)
    text = f"""{BOWL}{made(source, "critic", f"Bowl{shape}" if len(shape) > 1 else f"Bowl({shape[0]})")}\
X = {tensor_text(source, (batch, *shape))}
X[{source.randrange(batch)}] = 0
result = gradient_penalty(critic, X)
{GRADIENT}"""
    return (Program(text, ("result", "result.requires_grad", "gradient")),)


@TASK.check("the number", points=2, cases="number", draw=with_ends(critics_and_samples("result")))
def test_gradient_penalty(answers: Answers) -> None:
    """Vectors and images, outputs of either shape."""
    answers.agree()


@TASK.check(
    "its gradient",
    points=2,
    cases="gradient",
    draw=with_ends(critics_and_samples("result.requires_grad", "gradient"), TINY),
)
def test_gradient_penalty_has_a_graph_to_the_parameters(answers: Answers) -> None:
    """What a training step would use."""
    answers.agree()


@TASK.check("a sample with gradient 0", points=2, cases="zero", draw=flat_sample)
def test_gradient_penalty_where_a_gradient_is_zero(answers: Answers) -> None:
    """It counts 1, and no nan comes back."""
    answers.agree()


@TASK.check("the critic as it was", points=1, cases="as found", damage=True)
def test_gradient_penalty_leaves_the_critic_as_found(answers: Answers) -> None:
    """`.grad`, modes, X."""
    answers.agree()
