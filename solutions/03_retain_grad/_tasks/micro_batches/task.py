"""micro_batches: what is right, from two sources, and what is asked."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.models import chain, randn, seed_line
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

from ..shared import Draw

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
Tensors = list[torch.Tensor]


def _micro_batches(model: nn.Module, loss_fn: Loss, batch: torch.Tensor, y: torch.Tensor, parts: int) -> Tensors:
    model.zero_grad()
    for some, targets in zip(batch.tensor_split(parts), y.tensor_split(parts), strict=True):
        (loss_fn(model(some), targets) * (len(some) / len(batch))).backward()
    return [parameter.grad.clone() for parameter in model.parameters()]


def _by_differences(
    replay: Replay, model: nn.Module, loss_fn: Loss, batch: torch.Tensor, y: torch.Tensor, parts: int
) -> Tensors:
    wide = copy.deepcopy(model).double()
    samples = [(batch[i : i + 1].double(), _wide(y[i : i + 1])) for i in range(len(batch))]

    def gradient(parameter: nn.Parameter) -> torch.Tensor:
        def mean(values: torch.Tensor) -> torch.Tensor:
            parameter.data = values
            return sum(loss_fn(wide(sample), target) for sample, target in samples) / len(samples)

        own = parameter.data
        found = numeric.gradient(mean, own)
        parameter.data = own
        return found

    return [gradient(one).to(parameter.dtype) for one, parameter in _pairs(wide, model)]


def _wide(y: torch.Tensor) -> torch.Tensor:
    return y.double() if y.is_floating_point() else y


def _pairs(one: nn.Module, other: nn.Module) -> list[tuple[nn.Parameter, nn.Parameter]]:
    """The parameters of two models of one make, side by side."""
    return list(zip(one.parameters(), other.parameters(), strict=True))


REFERENCE = program_reference(
    "micro_batches",
    _micro_batches,
    "autograd in float64",
    _by_differences,
    "central differences of the mean over samples taken one by one",
)

TASK = Task(
    __file__,
    minutes=12,
    concepts=("accumulation", "optimisation"),
    section="Micro-batches",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
    says={
        "max(0, max(shape[0] for shape in model.calls) - *)": "a call of the model got {got} samples too many",
    },
)

LOSSES = (
    ("nn.MSELoss()", "float"),
    ("lambda output, target: ((output - target) ** 4).mean()", "float"),
    ("nn.CrossEntropyLoss()", "class"),
)


def micro_batches(*shown: str, sizes: Callable[[Random], tuple[int, int]], line: str = "") -> Draw:
    """`micro_batches` of a model.

    Args:
        shown: expressions; {most} stands for the most samples that a call may get.
        sizes: draws how many samples there are, and how many parts.
        line: what is done with the model before.
    """

    def draw(source: Random) -> tuple[Program]:
        count, parts = sizes(source)
        outputs = source.randint(2, 3)
        loss, kind = LOSSES[0] if span() else source.choice(LOSSES)
        y = randn(count, outputs) if kind == "float" else f"torch.arange({count}) % {outputs}"
        layers = f"nn.Sequential(nn.Linear(2, {outputs}))" if span() else chain(source, 2, outputs, most=2)
        text = seed_line(source) + (
            f"model = {layers}.double().{source.choice(('train', 'eval'))}()\nX = {randn(count, 2)}\ny = {y}\n"
        )
        text += f"{line}result = micro_batches(model, {loss}, X, y, {parts})\n"
        most = -(-count // parts)
        return (Program(text, tuple(one.format(most=most) for one in shown)),)

    return draw


def equal(source: Random) -> tuple[int, int]:
    """A multiple of the number of parts, and that number."""
    parts = source.randint(2, 3)
    return parts * source.randint(2, 3), parts


UNEVEN = [(count, parts) for count in range(4, 8) for parts in range(2, count) if count % parts]
"""Numbers of samples that the number of parts does not divide."""


def unequal(source: Random) -> tuple[int, int]:
    """Parts of which each has samples, also if the first ones are as large as they may be."""
    return source.choice([(count, parts) for count, parts in UNEVEN if -(-count // parts) * (parts - 1) < count])


def used_up(source: Random) -> tuple[int, int]:
    """Parts of which the last has no samples left if the first ones are as large as they may be: 5 in 4."""
    return source.choice([(count, parts) for count, parts in UNEVEN if -(-count // parts) * (parts - 1) >= count])


def whole(source: Random) -> tuple[int, int]:
    """One part."""
    return source.randint(3, 6), 1


@TASK.check("parts of equal size", points=2, cases="equal", draw=with_ends(micro_batches("result", sizes=equal)))
def test_micro_batches_equal(answers: Answers) -> None:
    """N is a multiple of parts."""
    answers.agree()


@TASK.check(
    "parts of unequal size",
    points=2,
    cases="unequal",
    draw=[micro_batches("result", sizes=unequal), micro_batches("result", sizes=used_up)],
)
def test_micro_batches_unequal(answers: Answers) -> None:
    """N is no multiple of parts."""
    answers.agree()


@TASK.check(
    "whatever lay in .grad before",
    points=1,
    cases="before",
    draw=micro_batches("result", sizes=whole, line="model(X).sum().backward()\n"),
    draws=2,
)
def test_micro_batches_from_zero(answers: Answers) -> None:
    """An earlier pass has left its gradients."""
    answers.agree()


@TASK.check(
    "never too many samples at once",
    points=1,
    cases="calls",
    draw=micro_batches(
        "max(0, max(shape[0] for shape in model.calls) - {most})",
        sizes=unequal,
        line="model = counters.counted(model)\n",
    ),
    draws=2,
)
def test_micro_batches_calls(answers: Answers) -> None:
    """The sizes of the model's calls."""
    answers.agree()
