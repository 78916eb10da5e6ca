"""References of exercise 01: scalar graphs by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction

import numpy
import torch

from autograder.probes.specimens import build
from autograder.references.reference import Reference
from autograder.references.scalar_programs import by_autograd, by_nudging
from autograder.wire.plain import Specimen

Edges = list[tuple[str, str, float]]


def _leaves(*numbers: float) -> list[torch.Tensor]:
    return [torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in numbers]


def _forward(x: float, w: float, b: float) -> dict[str, float]:
    x, w, b = _leaves(x, w, b)
    u = x * w
    v = u + b
    return {"u": u.item(), "v": v.item(), "a": torch.relu(v).item()}


def _forward_exactly(x: float, w: float, b: float) -> dict[str, float]:
    u = Fraction(x) * Fraction(w)
    v = u + Fraction(b)
    return {"u": float(u), "v": float(v), "a": float(max(v, 0))}


def _partials_by_autograd(scale_u: float, scale_b: float, scale_a: float) -> Callable[..., dict]:
    """Partials of a = scale_a * relu(v), v = scale_u * u + scale_b * b, u = x * w."""

    def partials(x: float, w: float, b: float) -> dict[str, float]:
        x, w, b = _leaves(x, w, b)
        u = x * w
        v = scale_u * u + scale_b * b
        a = scale_a * torch.relu(v)
        return {name: one.item() for name, one in zip("xwbuv", torch.autograd.grad(a, (x, w, b, u, v)), strict=True)}

    return partials


def _partials_exactly(scale_u: int, scale_b: int, scale_a: int) -> Callable[..., dict]:
    """The same in closed form, in exact rational numbers."""

    def partials(x: float, w: float, b: float) -> dict[str, float]:
        x, w, b = map(Fraction, (x, w, b))
        d_a_v = Fraction(scale_a if scale_u * x * w + scale_b * b > 0 else 0)
        d_a_u = d_a_v * scale_u
        exact = {"x": d_a_u * w, "w": d_a_u * x, "b": d_a_v * scale_b, "u": d_a_u, "v": d_a_v}
        return {name: float(value) for name, value in exact.items()}

    return partials


def _path_sum_in_order(edges: Edges, start: str, end: str) -> float:
    """Each node's sum is made once, from those of the nodes that it leads to."""
    leaving = defaultdict(list)
    waiting: dict[str, int] = defaultdict(int)
    for source, target, local in edges:
        leaving[source].append((target, local))
        waiting[target] += 1
    reached = defaultdict(float, {start: 1.0})
    ready = [node for node in {e[0] for e in edges} | {start} if not waiting[node]]
    while ready:
        node = ready.pop()
        for target, local in leaving[node]:
            reached[target] += reached[node] * local
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return reached[end]


def _path_sum_by_matrix(edges: Edges, start: str, end: str) -> float:
    """The powers of the adjacency matrix, summed: (I - A)^-1 holds every path of every length."""
    names = sorted({name for source, target, _ in edges for name in (source, target)} | {start, end})
    index = {name: i for i, name in enumerate(names)}
    matrix = numpy.eye(len(names))
    for source, target, local in edges:
        matrix[index[source], index[target]] -= local
    return float(numpy.linalg.solve(matrix, numpy.eye(len(names))[:, index[end]])[index[start]])


def _gradient_by_autograd(f: Specimen, x: torch.Tensor) -> list[float]:
    leaf = x.clone().requires_grad_()
    return torch.autograd.grad(build(f)(leaf), leaf)[0].tolist()


def _gradient_by_five_points(f: Specimen, x: torch.Tensor, h: float = 1e-3) -> list[float]:
    """A five-point formula, whose error falls with h**4."""
    function, gradient = build(f), []
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        near = function(x + step) - function(x - step)
        far = function(x + 2 * step) - function(x - 2 * step)
        gradient.append(float(8 * near - far) / (12 * h))
    return gradient


def _fit_in_closed_form(xs: list, ys: list, steps: int, lr: float) -> list[float]:
    w = b = 0.0
    for _ in range(steps):
        errors = [w * x + b - y for x, y in zip(xs, ys, strict=True)]
        d_w = sum(2 * error * x for error, x in zip(errors, xs, strict=True)) / len(xs)
        d_b = sum(2 * error for error in errors) / len(xs)
        w, b = w - lr * d_w, b - lr * d_b
    return [w, b]


def _fit_by_sgd(xs: list, ys: list, steps: int, lr: float) -> list[float]:
    w, b = _leaves(0.0, 0.0)
    xs, ys = torch.tensor(xs, dtype=torch.float64), torch.tensor(ys, dtype=torch.float64)
    optimizer = torch.optim.SGD([w, b], lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        ((w * xs + b - ys) ** 2).mean().backward()
        optimizer.step()
    return [w.item(), b.item()]


forward_values = Reference(_forward, "torch in float64", _forward_exactly, "exact rational numbers")
partials = Reference(
    _partials_by_autograd(1, 1, 1),
    "autograd in float64",
    _partials_exactly(1, 1, 1),
    "exact rational numbers",
)
partials_twin = Reference(
    _partials_by_autograd(2, 5, 3),
    "autograd in float64",
    _partials_exactly(2, 5, 3),
    "exact rational numbers",
)
path_sum = Reference(_path_sum_in_order, "one sweep in topological order", _path_sum_by_matrix, "the matrix (I - A)^-1")
finite_difference = Reference(
    _gradient_by_autograd, "autograd in float64", _gradient_by_five_points, "a five-point difference formula"
)
value = Reference(by_autograd, "autograd in float64", by_nudging, "central differences, node by node")
fit_neuron = Reference(_fit_in_closed_form, "closed form", _fit_by_sgd, "autograd and torch.optim.SGD")
