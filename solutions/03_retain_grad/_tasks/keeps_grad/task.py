"""keeps_grad: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.numbers import LETTERS, number
from autograder.checks.task import Task
from autograder.probes.counters import backward_nodes
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import Draw


def _by_flags(tensors: dict[str, torch.Tensor]) -> dict[str, bool]:
    return {name: one.requires_grad and (one.is_leaf or one.retains_grad) for name, one in tensors.items()}


def _by_passes(replay: Replay, tensors: dict[str, torch.Tensor]) -> dict[str, bool]:
    return {name: _is_filled(one, list(tensors.values())) for name, one in tensors.items()}


def _is_filled(tensor: torch.Tensor, others: list[torch.Tensor]) -> bool:
    """Whether a pass through it fills `.grad`; what the pass leaves anywhere is taken back."""
    if not tensor.requires_grad:
        return False
    result = (2 * tensor).sum()
    leaves = [node.variable for node in backward_nodes(result) if hasattr(node, "variable")]
    before = [(one, one.grad) for one in (tensor, *others, *leaves)]
    tensor.grad = None
    result.backward(torch.ones_like(result), retain_graph=True)
    filled = tensor.grad is not None
    for one, gradient in before:
        one.grad = gradient
    return filled


REFERENCE = program_reference(
    "keeps_grad",
    _by_flags,
    "the flags that torch keeps",
    _by_passes,
    "a backward pass through each tensor, and a look at its .grad",
)

TASK = Task(
    __file__, minutes=6, concepts=("leaves",), section="Retaining the gradient of an inner tensor", reference=REFERENCE
)

FLAG_KINDS = (
    "{n} = torch.tensor({a})",
    "{n} = 2 * torch.tensor([{a}, {b}])",
    "{n} = torch.tensor({a}, requires_grad=True)",
    "{n} = nn.Parameter(torch.tensor([{a}, {b}]))",
    "{n} = nn.Parameter(torch.tensor({a}), requires_grad=False)",
    "{n} = torch.tensor({a}, requires_grad=True)\n({b} * {n}).backward()\n{n}.requires_grad_(False)",
    "{n} = torch.tensor({a}, requires_grad=True)\n{n}.retain_grad()",
    "{n} = {b} * weight",
    "{n} = weight.double()",
    "{n} = weight.detach()",
    "{n} = (weight * {a}).detach().clone().requires_grad_()",
    "with torch.no_grad():\n    {n} = {a} * weight",
    "{n} = torch.tensor([3, 1])",
)

RETAINED_KINDS = (
    "{n} = {a} * weight\n{n}.retain_grad()",
    "{n} = weight.clone()\n{n}.retain_grad()",
    "{n} = hidden + {a}",
    "{n} = hidden.clone()",
    "{n} = hidden.detach()",
    "{n} = {a} * hidden\n{n}.retain_grad()\n{n} = {b} * {n}",
)


def tensors(kinds: tuple[str, ...], others: tuple[str, ...] = (), hidden: bool = False) -> Draw:
    """A dict of tensors, most of them of these kinds, for `keeps_grad`.

    Args:
        kinds: up to five of these.
        others: and two of these.
        hidden: whether there is an inner tensor `hidden` that keeps its gradient.
    """

    def draw(source: Random) -> tuple[Program]:
        lines = [f"weight = torch.tensor({number(source)}, requires_grad=True)"]
        if hidden:
            lines.append("hidden = 2 * weight\nhidden.retain_grad()")
        chosen = source.sample(kinds, min(5, len(kinds))) + source.sample(others, min(2, len(others)))
        source.shuffle(chosen)
        names = list(LETTERS[: len(chosen)])
        for name, kind in zip(names, chosen, strict=True):
            lines.append(kind.format(n=name, a=number(source), b=number(source)))
        names += ["weight", "hidden"] if hidden else ["weight"]
        source.shuffle(names)
        entries = ", ".join(f'"{name}": {name}' for name in names)
        text = "\n".join([*lines, f"tensors = {{{entries}}}", "result = keeps_grad(tensors)"]) + "\n"
        return (Program(text, ("result",)),)

    return draw


@TASK.check("leaves and inner tensors", points=2, cases="flags", draw=tensors(FLAG_KINDS))
def test_keeps_grad(answers: Answers) -> None:
    """All kinds of tensors, none of them retained."""
    answers.agree()


@TASK.check(
    "tensors that were told to keep it",
    points=1,
    cases="retained",
    draw=tensors(RETAINED_KINDS, FLAG_KINDS, hidden=True),
)
def test_keeps_grad_retained(answers: Answers) -> None:
    """retain_grad() before, on it, on a copy, on what it was computed from."""
    answers.agree()
