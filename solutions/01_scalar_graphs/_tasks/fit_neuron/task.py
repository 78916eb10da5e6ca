"""fit_neuron: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, with_ends
from autograder.checks.draws.numbers import number, positive
from autograder.checks.task import Task
from autograder.probes.question import Question
from autograder.references import Reference

from ..shared import leaves


def _fit_in_closed_form(xs: list, ys: list, steps: int, lr: float) -> list[float]:
    w = b = 0.0
    for _ in range(steps):
        errors = [w * x + b - y for x, y in zip(xs, ys, strict=True)]
        d_w = sum(2 * error * x for error, x in zip(errors, xs, strict=True)) / len(xs)
        d_b = sum(2 * error for error in errors) / len(xs)
        w, b = w - lr * d_w, b - lr * d_b
    return [w, b]


def _fit_by_sgd(xs: list, ys: list, steps: int, lr: float) -> list[float]:
    w, b = leaves(0.0, 0.0)
    xs, ys = torch.tensor(xs, dtype=torch.float64), torch.tensor(ys, dtype=torch.float64)
    optimizer = torch.optim.SGD([w, b], lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        ((w * xs + b - ys) ** 2).mean().backward()
        optimizer.step()
    return [w.item(), b.item()]


REFERENCE = Reference(_fit_in_closed_form, "closed form", _fit_by_sgd, "autograd and torch.optim.SGD")

TASK = Task(
    __file__,
    minutes=8,
    concepts=("accumulation", "optimisation"),
    section="Fitting one neuron by gradient descent",
    reference=REFERENCE,
)


def fit_data(source: Random) -> tuple[list[float], list[float], int, float]:
    """A few pairs near a line, a number of steps, a rate at which the fit converges."""
    xs = [round(source.uniform(-2, 2), 2) for _ in range(source.randint(3, 6))]
    w, b = number(source), number(source)
    ys = [round(w * x + b + source.uniform(-0.3, 0.3), 2) for x in xs]
    return xs, ys, source.randint(2, 8), positive(source, 0.02, 0.08, 3)


def counting_passes(xs: list, ys: list, steps: int, lr: float) -> Question:
    """Call the function and count the backward passes of the notebook's Value."""
    inputs = {"target": "fit_neuron", "arguments": [xs, ys, steps, lr], "method": "Value.backward"}
    return Question("call_counting", inputs)


@TASK.check("w and b after some steps", points=4, draw=with_ends(fit_data, TINY), ask=counting_passes)
def test_fit_neuron(answers: Answers) -> None:
    """Gradient descent on the mean squared error, with the notebook's own engine."""
    answers.agree()
    answers.observe(
        lambda case, seen: seen["count"] >= case.inputs[2],
        "`Value.backward` ran less often than there are steps.",
        TASK.mistake("Value not used"),
    )
