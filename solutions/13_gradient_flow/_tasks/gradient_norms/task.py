"""gradient_norms: what is right, from two sources, and what is asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import of_size, span, with_ends
from autograder.checks.draws.models import branching_class, chain, randn, seed_line
from autograder.checks.draws.numbers import number
from autograder.checks.task import Task
from autograder.probes.programs import Program, scope
from autograder.references.numeric import moved_both_ways
from autograder.references.replay import Replay, program_reference

Norms = dict[str, float]


def _gradient_norms(model: nn.Module, loss: torch.Tensor) -> Norms:
    named = dict(model.named_parameters())
    asked = {name: one for name, one in named.items() if one.requires_grad}
    found = torch.autograd.grad(loss, asked, materialize_grads=True)
    return {name: found[name].double().square().sum().sqrt().item() if name in found else 0.0 for name in named}


def _by_differences(replay: Replay, model: nn.Module, loss: torch.Tensor) -> Norms:
    """Run the program up to the loss again and again, in float64, with one entry of one parameter moved."""
    if "passes" in replay.names:
        replay.names["passes"].append("pass")
    names = {id(value): name for name, value in replay.names.items()}
    of, by = names[id(loss)], names[id(model)]
    last = next(k for k in range(replay.done) if of in _after(replay, k + 1))

    def value(name: str, moved: torch.Tensor) -> float:
        def move(bound: dict[str, Any]) -> None:
            bound[by].get_parameter(name).data = moved

        return _after(replay, last + 1, move)[of].detach().item()

    def norm(name: str) -> float:
        start = _after(replay, last)[by].get_parameter(name).detach()
        slopes = [
            (value(name, up) - value(name, down)) / float(up[at] - down[at]) for at, up, down in moved_both_ways(start)
        ]
        return math.hypot(*slopes)

    return {name: norm(name) if one.requires_grad else 0.0 for name, one in model.named_parameters()}


def _after(replay: Replay, count: int, move: Callable[[dict[str, Any]], None] = lambda bound: None) -> dict[str, Any]:
    """Run the first `count` statements of the program in float64, `move` before the last; return what they bind."""
    names = scope({replay.name: lambda model, loss: {}})
    for k, statement in enumerate(replay.wide[:count], 1):
        if k == count:
            move(names)
        exec(statement, names)
    return names


REFERENCE = program_reference(
    "gradient_norms",
    _gradient_norms,
    "autograd, one pass, materialised zeros",
    _by_differences,
    "central differences: the program up to the loss, run again with one entry of one parameter moved",
)

TASK = Task(
    __file__,
    minutes=8,
    concepts=("accumulation",),
    section="Vanishing gradients: thirty layers learn nothing",
    reference=REFERENCE,
)

LOSSES = ("(output ** 2).sum()", "(output - 1).exp().mean()", "F.softplus(output).sum(1).mean()")


def _loss(source: Random) -> str:
    factor = abs(number(source)) if span() else None
    samples = 6 if span() else source.randint(2, 4)  # of two, a BatchNorm leaves hardly a slope
    with of_size(None):
        loss = source.choice(LOSSES).replace("output", f"model({randn(samples, 2)})")
    return f"{factor} * (1 + torch.tanh({loss} / 8) / 2)" if factor else loss


def taking_part(source: Random) -> tuple[Program]:
    """Draw a chain, or a model with branches."""
    if source.random() < 0.5:
        made = f"model = {chain(source, 2, 2)}.double()\n"
    else:
        made = branching_class(source, "Model", 2, 2).lstrip() + "model = Model().double()\n"
    text = f"{seed_line(source)}{made}loss = {_loss(source)}\nresult = gradient_norms(model, loss)\n"
    return (Program(text, ("result",)),)


def without_gradient(source: Random) -> tuple[Program]:
    """Draw four layers of which some are used, two share a weight, and one has a frozen bias."""
    output = "x"
    for k in source.choice(((0, 1, 2), (1, 2, 0), (0, 2), (2, 1))):
        output = f"torch.tanh(model[{k}]({output}))"
    text = (
        f"{seed_line(source)}model = nn.ModuleList([nn.Linear(2, 2) for _ in range(4)]).double()\n"
        f"model[2].weight = model[0].weight\nmodel[{source.randrange(2)}].bias.requires_grad_(False)\n"
        f"x = {randn(3, 2)}\nloss = ({output} ** 2).sum()\nresult = gradient_norms(model, loss)\n"
    )
    return (Program(text, ("result",)),)


@TASK.check("parameters that take part", points=2, cases="taking part", draw=with_ends(taking_part))
def test_gradient_norms(answers: Answers) -> None:
    """Ask about models of several kinds."""
    answers.agree()


@TASK.check("parameters without a gradient", points=2, cases="without", draw=without_gradient)
def test_gradient_norms_without_gradient(answers: Answers) -> None:
    """Ask about unused, frozen and tied parameters."""
    answers.agree()


@TASK.check("in one pass", points=1, cases="passes")
def test_gradient_norms_in_one_pass(answers: Answers) -> None:
    """Count backward passes."""
    answers.agree()


@TASK.check("everything as it was", points=1, cases="as it was", damage=True)
def test_gradient_norms_as_it_was(answers: Answers) -> None:
    """Compare each `.grad`, filled or None, with what it was before."""
    answers.agree()
