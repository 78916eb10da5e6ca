"""gradient_through_a_step: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, span, with_ends
from autograder.checks.draws.numbers import coefficients, number, tensor_text
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references.leaves import leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import THROUGH_POINTS, Function, interpolated_gradient, next_derivative, widened


def gradient_through(w: torch.Tensor, lr: float, train: Function, val: Function) -> torch.Tensor:
    """The gradient of val after a step of gradient descent on train, with respect to the start."""
    leaf = leaf_of(w)
    return next_derivative(val(leaf - lr * next_derivative(train(leaf), leaf)), leaf).detach()


def _step_run_again(replay: Replay, w: torch.Tensor, lr: float, train: Function, val: Function) -> torch.Tensor:
    """The step itself is taken from every point of each line."""
    train, val = widened(replay, train, w), widened(replay, val, w)
    return interpolated_gradient(lambda moved: val(moved - lr * interpolated_gradient(train, moved)), w).to(w.dtype)


REFERENCE = program_reference(
    "gradient_through_a_step",
    gradient_through,
    "autograd through the step",
    _step_run_again,
    f"the whole step run again: {THROUGH_POINTS}, for the step and for the result",
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("second derivatives", "optimisation"),
    section="Differentiating through a training step",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
)

TRAIN = (
    "({c} * w * w).sum() / 2 + torch.sin(w).prod()",
    "torch.exp(w / 3).sum() + ({c} * w).sum() ** 2 / 4",
    "((torch.tanh(w) - {c}) ** 2).mean()",
)

VAL = ("((w - {c}) ** 2).sum()", "torch.sin({c} * w).sum()", "(w**3).sum() / 6 + w.prod()")


def losses(source: Random) -> tuple[Program]:
    """A loss to train on, another to judge by."""
    shape = source.choice(((2,), (3,), (2, 2)))
    train, val = (
        source.choice(one).format(c=coefficients(source, shape)) for one in (TRAIN, VAL[:1] if span() else VAL)
    )
    text = f"""train = lambda w: {train}
val = lambda w: {val}
w = {tensor_text(source, shape)} / 2
result = gradient_through_a_step(w, {abs(number(source, 0.1, 0.6))}, train, val)
"""
    return (Program(text, ("result",)),)


@TASK.check("both parts of the gradient", points=3, cases="both", draw=with_ends(losses, TINY))
def test_gradient_through_a_step(answers: Answers) -> None:
    """Through the start of the step, and through its gradient."""
    answers.agree()


@TASK.check("steps that bend nothing, and w as it was", points=1, cases="straight", damage=True)
def test_gradient_through_a_step_on_a_linear_loss(answers: Answers) -> None:
    """The step's gradient is a constant; a rate of 0."""
    answers.agree()
