"""What a program with a scalar engine should show, by autograd and by central differences.

A program is Python text that makes nodes with `Value(number)` and `Value(number, inputs)`, combines them, and may call
`backward()`. It shows `y.data`, `y.grad` and `y.derivative(x)` of nodes that it names. `by_autograd` runs it on torch
scalars; `by_nudging` runs it on plain floats, twice per node, and shares no code with the former.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import torch

from autograder.comparison import Tolerance
from autograder.probes.programs import Program, compiled, executed
from autograder.references import Reference
from autograder.references.replay import shown_by

Pairs = Sequence[tuple[Any, float]]
"""What a node is made from: nodes, each with the local derivative."""


def evaluated(program: Program, engine: type) -> dict[str, Any]:
    """Run a program with this class as `Value` and evaluate what it shows; an exception is not caught."""
    names = executed(program.text, {"Value": engine})
    return {shown: eval(compiled(shown, "eval"), names) for shown in program.shown}


class Made(torch.autograd.Function):
    """A number with given local derivatives."""

    @staticmethod
    def forward(ctx: Any, data: float, locals_: Sequence[float], *nodes: torch.Tensor) -> torch.Tensor:
        ctx.locals = locals_
        return torch.tensor(data, dtype=torch.float64)

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return None, None, *(upstream * local for local in ctx.locals)


class TorchScalar:
    """A torch scalar in float64 behind the interface of the exercise's Value."""

    def __init__(self, data: Any, inputs: Pairs = (), parents: Sequence[TorchScalar] = ()) -> None:
        self.parents, self._derivatives = parents or [node for node, _ in inputs], dict[int, float]()
        if inputs:
            data = Made.apply(data, [local for _, local in inputs], *(node.tensor for node, _ in inputs))
        elif not isinstance(data, torch.Tensor):
            data = torch.tensor(data, dtype=torch.float64, requires_grad=True)
        self.tensor = data
        self.tensor.retain_grad()

    @property
    def data(self) -> float:
        return self.tensor.item()

    @property
    def grad(self) -> float:
        return 0.0 if self.tensor.grad is None else self.tensor.grad.item()

    @grad.setter
    def grad(self, value: float) -> None:
        self.tensor.grad = torch.full_like(self.tensor, value)

    def derivative(self, node: TorchScalar) -> float:
        if not self._derivatives:  # by all nodes in one sweep: a program asks for many
            nodes = self._nodes()
            found = torch.autograd.grad(self.tensor, [one.tensor for one in nodes], retain_graph=True)
            self._derivatives = {id(one): gradient.item() for one, gradient in zip(nodes, found, strict=True)}
        return self._derivatives.get(id(node), 0.0)

    def _nodes(self) -> list[TorchScalar]:
        """Return this node and all that it was made from."""
        found, waiting = dict[TorchScalar, None](), [self]
        while waiting:
            if (node := waiting.pop()) not in found:
                found[node] = None
                waiting += node.parents
        return list(found)

    def backward(self) -> None:
        self.tensor.backward(retain_graph=True)


def _binary(name: str) -> Callable:
    def method(self: TorchScalar, other: Any) -> TorchScalar:
        parents = [node for node in (self, other) if isinstance(node, TorchScalar)]
        other = other.tensor if isinstance(other, TorchScalar) else other
        return TorchScalar(getattr(self.tensor, name)(other), parents=parents)

    return method


for _name in ("add", "mul", "sub", "truediv", "pow"):
    for _full in (f"__{_name}__", f"__r{_name}__"):
        setattr(TorchScalar, _full, _binary(_full))
for _name in ("__neg__", "relu", "exp", "log", "tanh"):
    setattr(TorchScalar, _name, lambda self, _name=_name: TorchScalar(getattr(self.tensor, _name)(), parents=[self]))


class Nudged:
    """A plain number; the node made as number `target` is moved by `nudge` times its size.

    Gates stay as they are in the first run, without a nudge, where relu'(0) is 0: at a kink differences
    alone would say 0.5. Local derivatives are ignored: a program computes each number from those that went in.
    """

    made = 0
    target, nudge = -1, 0.0
    gates: list[bool] = []  # noqa: RUF012  (one run at a time)
    passes: list[Nudged] = []  # noqa: RUF012
    recording, asked = True, 0

    def __init__(self, data: float, inputs: Pairs = ()) -> None:
        self.number, self.data, self.first, self.written = Nudged.made, float(data), 0, 0.0
        Nudged.made += 1
        self.step = Nudged.nudge * (abs(self.data) or 1.0)
        if self.number == Nudged.target:
            self.data += self.step

    @staticmethod
    def start(target: int, nudge: float) -> None:
        """Before each run; a first run (target -1) records the gates."""
        Nudged.made, Nudged.target, Nudged.nudge, Nudged.passes = 0, target, nudge, []
        Nudged.recording, Nudged.asked = target == -1, 0
        if Nudged.recording:
            Nudged.gates = []

    def backward(self) -> None:
        Nudged.passes.append(self)

    @property
    def grad(self) -> float:
        raise AttributeError("gradients are differences between runs")

    @grad.setter
    def grad(self, value: float) -> None:
        self.written, self.first = value, len(Nudged.passes)  # of the passes that it still holds

    def relu(self) -> Nudged:
        if Nudged.recording:
            Nudged.gates.append(self.data > 0)
        Nudged.asked += 1
        return Nudged(self.data if Nudged.gates[Nudged.asked - 1] else 0.0)

    def exp(self) -> Nudged:
        return Nudged(math.exp(self.data))

    def log(self) -> Nudged:
        return Nudged(math.log(self.data))

    def tanh(self) -> Nudged:
        return Nudged(math.tanh(self.data))

    def __neg__(self) -> Nudged:
        return Nudged(-self.data)


def _plain(name: str) -> Callable:
    def method(self: Nudged, other: Any) -> Nudged:
        other = other.data if isinstance(other, Nudged) else float(other)
        return Nudged(getattr(self.data, name)(other))

    return method


for _name in ("add", "mul", "sub", "truediv", "pow"):
    for _full in (f"__{_name}__", f"__r{_name}__"):
        setattr(Nudged, _full, _plain(_full))


def by_nudging(program: Program) -> dict[str, float]:
    """Show what the program shows, by central differences over each node's own number."""

    def ran(target: int = -1, nudge: float = 0.0) -> tuple[dict[str, Any], list[Nudged]]:
        Nudged.start(target, nudge)
        return executed(program.text, {"Value": Nudged}), Nudged.passes

    first, _ = ran()

    def value(shown: str) -> float:
        name, what, by = re.fullmatch(r"(\w+)\.(data|grad|derivative)(?:\((\w+)\))?", shown).groups()
        if what == "data":
            return first[name].data
        size = abs(first[by or name].data)
        written = first[name].written if what == "grad" else 0.0
        return written + settled(lambda h: quotient(name, what, by, h), 1e-3 / size if size else 0.1)

    def quotient(name: str, what: str, by: str | None, h: float) -> float:
        node = first[by or name]
        (up, all_up), (down, all_down) = ran(node.number, h), ran(node.number, -h)
        ends = zip(all_up, all_down, strict=True) if what == "grad" else [(up[name], down[name])]
        width = up[by or name].step - down[by or name].step
        return sum(high.data - low.data for high, low in list(ends)[node.first :]) / width

    return {shown: value(shown) for shown in program.shown}


def settled(quotient: Callable[[float], float], widest: float = 0.1) -> float:
    """Return a difference quotient with a step of 1e-5; if another changes it, with one beside which it changes least.

    A power with an exponent near a million is far from a line within the usual step, and one near a millionth is flat.
    Beside a large result nothing is seen of a small step: a small number is moved by up to `widest` times itself.
    """
    if math.isclose(usual := quotient(1e-5), quotient(2.7e-5), rel_tol=1e-7):  # rounded alike at twice the step
        return usual
    found = []
    for k in (k for k in range(-9, 12) if 10.0**-k <= max(0.1, widest)):
        with contextlib.suppress(OverflowError):
            found.append(quotient(10.0**-k))
    threes = [three for three in zip(found, found[1:], found[2:], strict=False) if any(three)]
    alike = (three for three in threes if max(three) - min(three) <= 1e-8 * abs(three[1]))  # the widest steps first
    return next(alike, min(threes, key=lambda three: max(three) - min(three), default=(0.0, 0.0, 0.0)))[1]


PLUS = """def plus(p, q):
    return Value(p.data + q.data, [(p, 1.0), (q, 1.0)])


"""
TIMES = """def times(p, q):
    return Value(p.data * q.data, [(p, q.data), (q, p.data)])


"""
SCALED = """def scaled(p, by):
    return Value(by * p.data, [(p, by)])


"""
# Programs of later tasks make their nodes so: a wrong operator is told in its own task alone.


def small(source: Random) -> float:
    """A number of either sign between 0.001 and 0.01."""
    return round(source.uniform(0.001, 0.01), 5) * source.choice((-1, 1))


def large(source: Random) -> float:
    """A number of either sign between 150 and 1,500."""
    return round(source.uniform(150, 1500), 1) * source.choice((-1, 1))


TOLERANCE = Tolerance(of_scale=1e-12)
"""A program shows small numbers beside large ones, and Python's floats have 16 digits."""
REFERENCE = Reference(
    shown_by("Value", TorchScalar), "autograd in float64", by_nudging, "central differences, node by node"
)
