"""ridge_loss: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy
import torch
from torch.nn import functional

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, with_ends
from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import program_reference

from ..shared import AUTOGRAD, BEGIN, Array, Carried, Draw


def _ridge_loss(w: torch.Tensor, inputs: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
    return functional.mse_loss(inputs @ w, y) + strength * w.dot(w)


def _ridge(strength: float) -> Callable[..., tuple[Any, list[Callable]]]:
    def formula(w: Array, inputs: Array, y: Array) -> tuple[Any, list[Callable]]:
        errors = inputs @ w - y
        pull = 2 * errors / len(y)
        gradients = [inputs.T @ pull + 2 * strength * w, numpy.outer(pull, w), -pull]
        value = (errors**2).sum() / len(y) + strength * (w**2).sum()
        return value, [lambda upstream, one=one: upstream * one for one in gradients]

    return formula


REFERENCE = program_reference(
    "ridge_loss",
    _ridge_loss,
    AUTOGRAD,
    lambda replay, w, inputs, y, strength: Carried.apply(_ridge(strength), w, inputs, y),
    "closed form in NumPy",
)

TASK = Task(
    __file__,
    minutes=4,
    concepts=("leaves", "broadcasting"),
    section="A penalty computed with item() or NumPy",
    begin=BEGIN,
    reference=REFERENCE,
)


def ridge_loss(*shown: str) -> Draw:
    """A penalty that is felt."""

    def draw(source: Random) -> tuple[Program]:
        rows, n = source.randint(2, 4), source.randint(2, 3)
        text = f"""w = {tensor_text(source, (n,), requires_grad=True)}
X = {tensor_text(source, (rows, n), requires_grad=True)}
y = {tensor_text(source, (rows,))}
result = ridge_loss(w, X, y, {abs(number(source))})
result.backward({tensor_text(source, ())})
"""
        return (Program(text, shown),)

    return draw


GRADIENTS = ("w.grad", "X.grad")
"""Beside a loss of small numbers they are too small to be told from 0, so that small ones are asked by themselves."""


@TASK.check(
    "the loss and its gradient",
    points=2,
    cases="gradient",
    draw=[*with_ends(ridge_loss("result", *GRADIENTS)), *with_ends(ridge_loss(*GRADIENTS), TINY)[1:]],
)
def test_ridge_loss(answers: Answers) -> None:
    """The penalty pulls at the weights."""
    answers.agree()


@TASK.check("the data's gradients, and no strength", points=1, cases="others")
def test_ridge_loss_of_the_data(answers: Answers) -> None:
    """X and y may require a gradient too; a strength of 0."""
    answers.agree()
