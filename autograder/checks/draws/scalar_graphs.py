"""Draws of exercise 01: numbers for the toy graph, edges, smooth functions, pairs, programs of Values."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import torch

from autograder.checks.draws.attempts import passing
from autograder.checks.draws.numbers import LETTERS, number
from autograder.probes.programs import Program
from autograder.wire.plain import Specimen


def gate_open(scale_u: float, scale_b: float) -> Callable[[Random], tuple[float, float, float]]:
    """x, w, b with scale_u * x * w + scale_b * b well above 0."""
    return lambda source: _toy(source, lambda x, w, b: scale_u * x * w + scale_b * b > 0.5)


def gate_shut(scale_u: float, scale_b: float) -> Callable[[Random], tuple[float, float, float]]:
    """x, w, b with scale_u * x * w + scale_b * b well below 0."""
    return lambda source: _toy(source, lambda x, w, b: scale_u * x * w + scale_b * b < -0.5)


def gate_either(source: Random) -> tuple[float, float, float]:
    """x, w, b away from the kink of v = x * w + b."""
    return _toy(source, lambda x, w, b: abs(x * w + b) > 0.5)


def _toy(source: Random, wanted: Callable[[float, float, float], bool]) -> tuple[float, float, float]:
    def telling(drawn: tuple[float, float, float]) -> bool:
        x, w, b = drawn
        # Sizes that differ tell the partials apart: x from w, and both from 1.
        return wanted(x, w, b) and len({abs(x), abs(w), abs(b), 1.0, abs(x * w)}) == 5

    return passing(lambda: (number(source), number(source), number(source)), telling)


def layered_graph(source: Random) -> tuple[list[tuple[str, str, float]], str, str]:
    """Edges of a graph with several paths from "x" to "y", in no order, and one that leads elsewhere."""
    names = ["x", *LETTERS[: source.randint(3, 5)], "y"]
    edges = [(names[i], names[i + 1], number(source)) for i in range(len(names) - 1)]
    for i in range(len(names) - 2):
        target = source.randrange(i + 2, len(names))
        edges.append((names[i], names[target], number(source)))
    edges += [("z", "y", number(source)), ("x", "z2", number(source))]
    source.shuffle(edges)
    return edges, "x", "y"


def smooth_function(source: Random) -> tuple[Specimen, torch.Tensor]:
    """A smooth function of one axis, as a specimen, and a point."""

    def vector(size: int, low: float = 0.3, high: float = 1.2) -> torch.Tensor:
        return torch.tensor([number(source, low, high) for _ in range(size)], dtype=torch.float64)

    size = source.randint(2, 5)
    kind = source.choice(("sine_sum", "cubic", "exponential"))
    if kind == "sine_sum":
        made = Specimen(kind, {"a": vector(size), "k": vector(size), "c": number(source)})
    elif kind == "cubic":
        made = Specimen(kind, {"a": vector(size), "b": vector(size)})
    else:
        made = Specimen(kind, {"b": vector(size, 0.1, 0.5)})
    return made, vector(size)


def fit_data(source: Random) -> tuple[list[float], list[float], int, float]:
    """A few pairs near a line, a number of steps, a rate at which the fit converges."""
    xs = [round(source.uniform(-2, 2), 2) for _ in range(source.randint(3, 6))]
    w, b = number(source), number(source)
    ys = [round(w * x + b + source.uniform(-0.3, 0.3), 2) for x in xs]
    return xs, ys, source.randint(2, 8), round(source.uniform(0.02, 0.08), 3)


def program(*statements: str) -> Callable[[Random], tuple[Program]]:
    """Programs of Values with two leaves and up to five of these statements, in which earlier nodes are used again.

    Args:
        statements: right sides with {p} and {q} for earlier nodes and {n} for a number from 1.1 to 3.
    """

    def draw(source: Random) -> tuple[Program]:
        lines = [f"a = Value({abs(number(source)) + 0.6:.2f})", f"b = Value({number(source)})"]
        names = ["a", "b"]
        for name, right in zip(LETTERS[2:7], source.sample(statements, min(5, len(statements))), strict=False):
            p, q = source.sample(names, 2)
            lines.append(f"{name} = {right.format(p=p, q=q, n=round(source.uniform(1.1, 3), 2))}")
            names.append(name)
        lines += [f"y = {' + '.join(names)}", "y.backward()"]
        shown = tuple(f"{name}.{part}" for name in [*names, "y"] for part in ("data", "grad"))
        return (Program("\n".join(lines) + "\n", shown),)

    return draw
