"""Draws of exercise 08: functions whose derivatives go on, or end; steps of Newton and of training."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.numbers import number, tensor_text
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
DTYPE = "dtype=torch.float64"
CURVES = (
    "{a} * x**3 + {b} * x**2",
    "torch.exp({a} * x) * x",
    "torch.sin({a} * x) * x**2",
    "torch.tanh({a} * x) + x**4 / 4",
    "{a} * torch.log(2 + x * x) * x",
    "F.softplus({a} * x) * x",
)
ENDING = ("{a} * x", "{a} * x + {b}", "{a} * x * x + {b} * x", "x", "w * x", "w * x + x * x", "w + {a} * x")
"""Functions whose derivatives are constant sooner or later; `w` requires a gradient of its own."""


def _coefficients(source: Random) -> dict[str, float]:
    return {"a": number(source, 0.5, 1.5), "b": number(source, 0.5, 2.0)}


def three_derivatives(source: Random) -> tuple[Program]:
    """A curve, and x with something in its `.grad`'s place or not."""
    text = f"""f = lambda x: {source.choice(CURVES).format(**_coefficients(source))}
x = torch.tensor({number(source, 0.4, 1.4)}, {DTYPE})
result = three_derivatives(f, x)
"""
    return (Program(text, ("result",)),)


def ending_derivatives(source: Random) -> tuple[Program]:
    """A function that is linear, or quadratic."""
    body = source.choice(ENDING).format(**_coefficients(source))
    own = f"w = torch.tensor({number(source)}, {DTYPE}, requires_grad=True)\n" if "w" in body else ""
    text = f"""{own}f = lambda x: {body}
x = torch.tensor({number(source)}, {DTYPE})
result = three_derivatives(f, x)
"""
    return (Program(text, ("result",)),)


CURVED = (
    "({c} * x**3).sum() + x.prod()",
    "torch.exp(x / 3).sum() * ({c} * x).sum()",
    "torch.sin({c} * x).sum() ** 2 + (x**4).sum() / 12",
    "(x.flatten()[1:] * x.flatten()[:-1].tanh()).sum() + ({c} * x * x).sum()",
)
FLAT = ("({c} * x).sum()", "(w * x).sum()", "x.sum() + ({c} * x).mean()", "(w + x).sum()")


def hessian_vector_product(source: Random) -> tuple[Program]:
    """A function of a tensor of some shape, and a direction."""
    shape = source.choice(((2,), (3,), (4,), (2, 2), (1, 3)))
    body = source.choice(CURVED).format(c=tensor_text(source, shape))
    text = f"""f = lambda x: {body}
x = {tensor_text(source, shape)} / 2
v = {tensor_text(source, shape)}
result = hessian_vector_product(f, x, v)
"""
    return (Program(text, ("result", "x.requires_grad")),)


def flat(source: Random) -> tuple[Program]:
    """A linear function: its Hessian is 0."""
    shape = source.choice(((2,), (3,), (2, 2)))
    body = source.choice(FLAT).format(c=tensor_text(source, shape))
    own = f"w = {tensor_text(source, shape, requires_grad=True)}\n" if "w" in body else ""
    text = f"""{own}f = lambda x: {body}
x = {tensor_text(source, shape)}
v = {tensor_text(source, shape)}
result = hessian_vector_product(f, x, v)
"""
    return (Program(text, ("result",)),)


def newton_step(*shown: str) -> Draw:
    """A function whose curvatures have either sign and are far from 0; inversions counted."""

    def draw(source: Random) -> tuple[Program]:
        n = source.randint(2, 4)
        # Each row of the Hessian has its largest entry on the diagonal, by far: it cannot be singular.
        curvature = [number(source, 4, 9) for _ in range(n)]
        wave = source.choice(("torch.sin(x).prod()", "(x[1:] * x[:-1]).sum()", "torch.cos(x.sum())"))
        text = f"""curvature = torch.tensor({curvature}, {DTYPE})
f = lambda x: (curvature * x * x).sum() / 2 + {wave} + ({tensor_text(source, (n,))} * x).sum()
x = {tensor_text(source, (n,))}
with counters.operations_run() as run:
    result = newton_step(f, x)
"""
        return (Program(text, shown),)

    return draw


TRAIN = (
    "({c} * w * w).sum() / 2 + torch.sin(w).prod()",
    "torch.exp(w / 3).sum() + ({c} * w).sum() ** 2 / 4",
    "((torch.tanh(w) - {c}) ** 2).mean()",
)
VAL = ("((w - {c}) ** 2).sum()", "torch.sin({c} * w).sum()", "(w**3).sum() / 6 + w.prod()")


def gradient_through_a_step(source: Random) -> tuple[Program]:
    """A loss to train on, another to judge by."""
    shape = source.choice(((2,), (3,), (2, 2)))
    train, val = (source.choice(one).format(c=tensor_text(source, shape)) for one in (TRAIN, VAL))
    text = f"""train = lambda w: {train}
val = lambda w: {val}
w = {tensor_text(source, shape)} / 2
result = gradient_through_a_step(w, {abs(number(source, 0.1, 0.6))}, train, val)
"""
    return (Program(text, ("result", "w.requires_grad")),)
