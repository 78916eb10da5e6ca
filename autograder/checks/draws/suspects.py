"""Draws of passes_gradcheck: programs that make Functions, right and broken, and ask the student's judge about each."""

from __future__ import annotations

from random import Random

from autograder.checks.draws.numbers import tensor_text
from autograder.probes.programs import Program

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
