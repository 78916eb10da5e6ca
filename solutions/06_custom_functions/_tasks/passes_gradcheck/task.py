"""passes_gradcheck: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references import numeric

from ..shared import reference_of


def _leaves(inputs: tuple) -> list[Any]:
    """The inputs, with a leaf of its own for each tensor."""
    return [one.detach().clone().requires_grad_() if isinstance(one, torch.Tensor) else one for one in inputs]


def by_gradcheck(function: Callable, inputs: tuple) -> bool:
    """Whether torch.autograd.gradcheck accepts it."""
    return torch.autograd.gradcheck(function, tuple(_leaves(inputs)), raise_exception=False, check_undefined_grad=False)


def by_tables(function: Callable, inputs: tuple) -> bool:
    """Whether the table of derivatives, row by row from backward, is that of central differences."""
    return all(_agree(function, inputs, place) for place, one in enumerate(inputs) if isinstance(one, torch.Tensor))


def _agree(function: Callable, inputs: tuple, place: int) -> bool:
    leaves = _leaves(inputs)
    output = function(*leaves).reshape(-1)
    rows = [
        torch.autograd.grad(one, leaves[place], retain_graph=True, materialize_grads=True)[0].reshape(-1)
        for one in output
    ]

    def moved(tensor: torch.Tensor) -> torch.Tensor:
        return function(*(tensor if i == place else one for i, one in enumerate(inputs))).reshape(-1)

    table = numeric.jacobian(moved, inputs[place], numeric.STEP).reshape(len(output), -1)
    return bool(((torch.stack(rows) - table).abs() <= 1e-4 * table.abs().max() + 1e-6).all())


REFERENCE = reference_of(
    "passes_gradcheck",
    by_gradcheck,
    by_tables,
    "tables of derivatives, row by row and by differences",
    "torch.autograd.gradcheck",
)

TASK = Task(
    __file__,
    minutes=25,
    concepts=("custom functions", "jacobians"),
    section="gradcheck and gradgradcheck",
    reference=REFERENCE,
)

MADE = """
def made(forward, backward):
    class Made(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *inputs):
            ctx.save_for_backward(*inputs)
            return forward(*inputs)

        @staticmethod
        def backward(ctx, upstream):
            return backward(upstream, *ctx.saved_tensors)

    return Made.apply
"""

ASKED = """
result = {name: bool(passes_gradcheck(function, inputs)) for name, function in suspects.items()}
"""

ELEMENTWISE = (  # value and slope
    ("x.sin()", "x.cos()"),
    ("x**2", "2 * x"),
    ("x.exp()", "x.exp()"),
    ("x.tanh()", "(1 - x.tanh() ** 2)"),
    ("1 / x", "(-1 / x**2)"),
    ("0.01 * x", "0.01"),
    ("300 * x.cos()", "-300 * x.sin()"),
)

MIXING = (  # value, backward, and a backward that is wrong and yet right for an upstream gradient of ones
    ("x.flip(0)", "g.flip(0)", "g"),
    ("x - x.mean()", "g - g.mean()", "0 * g"),
    ("x.roll(1)", "g.roll(-1)", "g.roll(1)"),
    ("x * x.sum()", "g * x.sum() + (g * x).sum()", "g * (x.sum() + x.sum())"),
)

TWO = (  # value and both gradients
    ("x * w", "g * w", "g * x"),
    ("x * x * w", "2 * g * x * w", "g * x * x"),
    ("x.sin() * w.exp()", "g * x.cos() * w.exp()", "g * x.sin() * w.exp()"),
    ("x / w", "g / w", "-g * x / w**2"),
)


def _program(source: Random, inputs: str, suspects: list[tuple[str, str]]) -> tuple[Program]:
    """Suspects in any order; their names say nothing."""
    source.shuffle(suspects)
    names = source.sample("pqrstuvz", len(suspects))
    lines = [f'    "{name}": made({", ".join(pair)}),' for name, pair in zip(names, suspects, strict=True)]
    text = "\n".join([MADE.strip(), "", f"inputs = ({inputs},)", "suspects = {", *lines, "}", ASKED.strip(), ""])
    return (Program(text, ("result",)),)


def one_argument(source: Random) -> tuple[Program]:
    """Elementwise Functions and such that mix elements."""
    value, slope = source.choice(ELEMENTWISE)
    mixed, right, wrong = source.choice(MIXING)
    suspects = [
        (f"lambda x: {value}", f"lambda g, x: g * {slope}"),
        (f"lambda x: {value}", f"lambda g, x: {slope} * torch.ones_like(g)"),
        (f"lambda x: {value}", f"lambda g, x: {round(source.uniform(1.02, 2), 2)} * g * {slope}"),
        (f"lambda x: {value}", f"lambda g, x: {round(source.uniform(0.3, 0.98), 2)} * g * {slope}"),
        (f"lambda x: {mixed}", f"lambda g, x: {right}"),
        (f"lambda x: {mixed}", f"lambda g, x: {wrong}"),
        ("lambda x: 2 * x", "lambda g, x: 2 * g * g.new_tensor([1.0, 1.0, 1.0, 1.5])"),
        ("lambda x: x**2", f"lambda g, x: 2 * g * x {source.choice('+-')} 0.5"),
    ]
    return _program(source, tensor_text(source, (4,)), suspects)


def several_arguments(source: Random) -> tuple[Program]:
    """Functions of two tensors, wrong in one of them."""
    value, of_x, of_w = source.choice(TWO)
    forward, factor = f"lambda x, w: {value}", round(source.uniform(1.1, 2), 2)
    suspects = [
        (forward, f"lambda g, x, w: ({of_x}, {of_w})"),
        (forward, f"lambda g, x, w: ({of_x}, {factor} * {of_w})"),
        (forward, f"lambda g, x, w: ({factor} * {of_x}, {of_w})"),
        (forward, f"lambda g, x, w: ({of_w}, {of_x})"),
        (forward, f"lambda g, x, w: ({of_x}, None)"),
        ("lambda x, w: x.sin()", "lambda g, x, w: (g * x.cos(), None)"),
    ]
    return _program(source, f"{tensor_text(source, (3,))}, {tensor_text(source, (3,))}", suspects)


def shapes_and_sizes(source: Random) -> tuple[Program]:
    """Matrices, results without axes, very large and very small gradients."""
    scale = source.choice(("1e5", "2e-3"))
    suspects = [
        ("lambda x: (x * x).sum()", "lambda g, x: 2 * g * x"),
        ("lambda x: x.T @ x", "lambda g, x: x @ (g + g.T)"),
        ("lambda x: x.T @ x", "lambda g, x: 2 * x @ g"),
        (f"lambda x: {scale} * x.exp()", f"lambda g, x: {scale} * g * x.exp()"),
        (f"lambda x: {scale} * x.exp()", f"lambda g, x: {round(source.uniform(1.05, 1.2), 2)} * {scale} * g * x.exp()"),
        ("lambda x: x.sum(0)", "lambda g, x: g.expand(3, 2)"),
    ]
    return _program(source, tensor_text(source, (3, 2)), suspects)


@TASK.check("one argument", points=3, cases="one", draw=one_argument, draws=1, ask=TASK.question_once)
def test_judge(answers: Answers) -> None:
    """Right ones pass; broken ones do not, even if an upstream gradient of ones hides it."""
    answers.agree()


@TASK.check("several arguments", points=2, cases="several", draw=several_arguments, draws=1, ask=TASK.question_once)
def test_judge_of_several(answers: Answers) -> None:
    """Each tensor's gradient counts; plain arguments are handed on."""
    answers.agree()


@TASK.check("any shape, any size", points=1, cases="shapes", draw=shapes_and_sizes, draws=1, ask=TASK.question_once)
def test_judge_of_shapes(answers: Answers) -> None:
    """Matrices, single numbers, large and small gradients."""
    answers.agree()
