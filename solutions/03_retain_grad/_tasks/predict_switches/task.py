"""predict_switches: what is right, from two sources, and what is asked."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.task import Task
from autograder.references import Reference

Prediction = list[bool | float | str | None]


class Case(NamedTuple):
    """The lines that make `y`, and those that use it later."""

    making: str
    later: str


CASES = {
    "A": Case("with torch.no_grad(): y = w * w", "(w * y).backward()"),
    "B": Case("y = w * w", "with torch.no_grad(): w.add_(1)\ny.backward()"),
    "C": Case("with torch.inference_mode(): y = w * w", "(w * y).backward()"),
    "D": Case("with torch.inference_mode(): y = w * w", "(w + y).backward()"),
    "E": Case("y = w.detach()", "y.mul_(2)\n(w * w).backward()"),
    "F": Case("z = torch.exp(w)\ny = z.detach()", "y.zero_()\nz.backward()"),
    "G": Case("y = w * w", "w.requires_grad_(False)\ny.backward()"),
    "H": Case("v = torch.tensor(5.0, requires_grad=True)\nv.requires_grad_(False)\ny = v * w", "y.backward()"),
    "I": Case("layer = nn.Dropout(1.0)\nlayer.eval()\ny = layer(2 * w)", "y.backward()"),
}


def _really_run() -> dict[str, Prediction]:
    return {name: _run(case) for name, case in CASES.items()}


def _run(case: Case) -> Prediction:
    w = torch.tensor(3.0, requires_grad=True)
    names = {"torch": torch, "nn": nn, "w": w}
    exec(case.making, names)
    recorded: bool = names["y"].requires_grad
    try:
        exec(case.later, names)
    except RuntimeError:
        return [recorded, "error"]
    return [recorded, None if w.grad is None else w.grad.item()]


class Facts(NamedTuple):
    """What decides a case.

    Attributes:
        records: grad mode is on while `y` is made, by an operation that autograd records.
        slope: of what backward starts from, in `w`, as far as it is recorded; with `w` as it then is.
        saves_inference: the later use saves an inference tensor.
        saved_changed: what a node has saved is written to before its backward.
        deposits: `w` still requires a gradient when the pass arrives.
    """

    records: bool
    slope: int
    saves_inference: bool = False
    saved_changed: bool = False
    deposits: bool = True


W, V = 3, 5
FACTS = {
    "A": Facts(records=False, slope=W * W),
    "B": Facts(records=True, slope=2 * (W + 1), saved_changed=True),
    "C": Facts(records=False, slope=W * W, saves_inference=True),
    "D": Facts(records=False, slope=1),
    "E": Facts(records=False, slope=2 * (2 * W)),
    "F": Facts(records=False, slope=0, saved_changed=True),
    "G": Facts(records=True, slope=2 * W, deposits=False),
    "H": Facts(records=True, slope=V),
    "I": Facts(records=True, slope=2),
}


def _by_rule() -> dict[str, Prediction]:
    def later(facts: Facts) -> float | str | None:
        if facts.saves_inference or facts.saved_changed:
            return "error"
        return float(facts.slope) if facts.deposits else None

    return {name: [facts.records, later(facts)] for name, facts in FACTS.items()}


REFERENCE = Reference(
    _really_run, "every case really run", _by_rule, "what each case records, saves, changes and deposits, by rule"
)

TASK = Task(
    __file__,
    minutes=15,
    concepts=("graphs", "leaves"),
    section="no_grad, inference_mode, detach, freezing, eval compared",
    reference=REFERENCE,
)


@TASK.check("at least seven of nine cases", points=2)
def test_predict_most_switches(answers: Answers) -> None:
    """More than one idea explains."""
    answers.tally(allowed=2, length=2)


@TASK.check("all nine cases", points=2)
def test_predict_all_switches(answers: Answers) -> None:
    """Every case."""
    answers.tally(length=2)
