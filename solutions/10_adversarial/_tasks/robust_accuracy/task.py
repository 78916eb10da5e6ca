"""robust_accuracy: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.attempts import redrawn
from autograder.checks.draws.ends import TINY, with_ends
from autograder.checks.draws.torch_modules import Draw
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, before_first_use, program_reference

from ..networks import AT_THE_EDGES, TELLING, Drawn

Attack = Callable[[nn.Module, torch.Tensor, torch.Tensor], torch.Tensor]


def accuracy_under(model: nn.Module, x: torch.Tensor, y: torch.Tensor, attack: Attack) -> float:
    """The part of the attacked images that are read right."""
    attacked = attack(model, x, y)
    with torch.no_grad():
        return (model(attacked).argmax(1) == y).double().mean().item()


def _counted(replay: Replay, model: nn.Module, x: torch.Tensor, y: torch.Tensor, attack: Attack) -> float:
    logits = model(attack(model, x, y)).tolist()
    right = [label for row, label in zip(logits, y.tolist(), strict=True) if row.index(max(row)) == label]
    return len(right) / len(y)


REFERENCE = program_reference(
    "robust_accuracy", accuracy_under, "one comparison of tensors", _counted, "counted in plain Python, one by one"
)

TASK = Task(__file__, minutes=4, concepts=("optimisation",), section="Robust accuracy", reference=REFERENCE)

ATTACKS = {
    "{e} * X.flip(3) + (1 - {e}) * X": "X",
    "(X + {e} * torch.cos(40 * X)).clamp(0, 1)": "X",
    "(X - {e} * torch.autograd.grad(model(leaf).gather(1, y[:, None]).sum(), leaf)[0]).clamp(0, 1)": "leaf",
    "(X + {e} * torch.autograd.grad(model(leaf).square().sum(), leaf)[0]).clamp(0, 1)": "leaf",
}
"""Attacks, and whether they need a leaf: none of them is the one that another task asks for."""


def attack_text(source: Random) -> str:
    """The text of an attack that notes how it was called."""
    body = source.choice(list(ATTACKS))
    leaf = "    leaf = X.clone().requires_grad_()\n" if ATTACKS[body] == "leaf" else ""
    return f"""calls = []
def attack(model, X, y):
    calls.append((list(X.shape), y.tolist()))
{leaf}    return {body.format(e=round(source.uniform(0.5, 0.9), 2))}

"""


def robust_accuracy(*shown: str) -> Draw:
    """An attack of some kind on five to eight images."""

    def make(source: Random) -> Program:
        drawn = Drawn(source, AT_THE_EDGES, name="X", most=8)
        text = f"""{drawn.lines}{drawn.labels(source, images="X")}\
y[::2] = model(X)[::2].argmax(1)
{attack_text(source)}result = robust_accuracy(model, X, y, attack)
"""
        return Program(text, shown)

    def clear(program: Program) -> bool:
        if "result" not in shown:
            return True
        names = before_first_use(program, "robust_accuracy")
        model, x, y, attack = (names[key] for key in ("model", "X", "y", "attack"))
        best = model(attack(model, x, y)).topk(2).values
        return bool((best[:, 0] - best[:, 1] > TELLING).all())

    return redrawn(make, clear)


@TASK.check("the number", points=2, cases="number", draw=with_ends(robust_accuracy("result"), TINY))
def test_robust_accuracy(answers: Answers) -> None:
    """Attacks of several kinds; images that were misread before."""
    answers.agree()


@TASK.check("one call, with all images", points=1, cases="one call", draw=robust_accuracy("calls"))
def test_robust_accuracy_calls_once(answers: Answers) -> None:
    """The attack notes its calls."""
    answers.agree()


@TASK.check("images and model as they were", points=1, cases="as found", damage=True)
def test_robust_accuracy_leaves_things_as_found(answers: Answers) -> None:
    """`.grad`, modes and frozen parameters stay."""
    answers.agree()
