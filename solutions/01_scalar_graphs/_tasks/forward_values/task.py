"""forward_values: what is right, from two sources, and what is asked."""

from __future__ import annotations

from fractions import Fraction

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.numbers import gate_either
from autograder.checks.task import Task
from autograder.references import Reference

from ..shared import TOY, leaves


def _forward(x: float, w: float, b: float) -> dict[str, float]:
    x, w, b = leaves(x, w, b)
    u = x * w
    v = u + b
    return {"u": u.item(), "v": v.item(), "a": torch.relu(v).item()}


def _forward_exactly(x: float, w: float, b: float) -> dict[str, float]:
    u = Fraction(x) * Fraction(w)
    v = u + Fraction(b)
    return {"u": float(u), "v": float(v), "a": float(max(v, 0))}


REFERENCE = Reference(_forward, "torch in float64", _forward_exactly, "exact rational numbers")

TASK = Task(
    __file__,
    minutes=4,
    concepts=("graphs",),
    section="The toy graph",
    reference=REFERENCE,
    graph=lambda *inputs: (TOY, {"backwards": False}),
)


@TASK.check("values of u, v and a", points=2, draw=gate_either)
def test_forward_values(answers: Answers) -> None:
    """u, v and a, with the gate open and shut."""
    answers.agree()
