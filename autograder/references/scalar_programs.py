"""What a program with a scalar engine should find: data and gradient of every node that it names.

A program is Python text that makes nodes with `Value(number)`, combines them and calls `backward()` on its
last node, once or more. `by_autograd` runs it on torch scalars; `by_nudging` runs it on plain floats, once
per node and direction, and shares no code with the former.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from autograder.probes.programs import Program, compiled


def run(program: Program, value_class: type) -> dict[str, Any]:
    """The nodes that a program names, by name."""
    scope: dict[str, Any] = {"Value": value_class}
    exec(compiled(program.text), scope)
    return {name: node for name, node in scope.items() if isinstance(node, value_class)}


class TorchScalar:
    """A torch scalar in float64 behind the interface of the exercise's Value."""

    def __init__(self, data: Any) -> None:
        made_here = not isinstance(data, torch.Tensor)
        self.tensor = torch.tensor(data, dtype=torch.float64, requires_grad=True) if made_here else data
        self.is_leaf, self.passes = made_here, 0
        self.tensor.retain_grad()

    def backward(self) -> None:
        self.passes += 1
        self.tensor.backward(retain_graph=True)


def _binary(name: str) -> Callable:
    def method(self: TorchScalar, other: Any) -> TorchScalar:
        other = other.tensor if isinstance(other, TorchScalar) else other
        return TorchScalar(getattr(self.tensor, name)(other))

    return method


for _name in ("add", "mul", "sub", "truediv", "pow"):
    for _full in (f"__{_name}__", f"__r{_name}__"):
        setattr(TorchScalar, _full, _binary(_full))
for _name in ("__neg__", "relu", "exp", "log", "tanh"):
    setattr(TorchScalar, _name, lambda self, _name=_name: TorchScalar(getattr(self.tensor, _name)()))


def observed(name: str, data: float, gradient: float) -> dict[str, float]:
    """A node as programs show it."""
    return {f"{name}.data": data, f"{name}.grad": gradient}


def by_autograd(program: Program) -> dict[str, float]:
    """`name.data` and `name.grad` of every node; after more than one backward of the leaves only."""
    nodes = run(program, TorchScalar)
    once = max(node.passes for node in nodes.values()) == 1
    answer = {}
    for name, node in nodes.items():
        if once or node.is_leaf:
            gradient = 0.0 if node.tensor.grad is None else node.tensor.grad.item()
            answer |= observed(name, node.tensor.item(), gradient)
    return answer


class Nudged:
    """A plain number; the node made as number `target` is moved by `nudge`.

    Gates stay as they are in the first run, without a nudge, where relu'(0) is 0: at a kink differences
    alone would say 0.5.
    """

    made = 0
    target, nudge = -1, 0.0
    gates: list[bool] = []  # noqa: RUF012  (one run at a time)
    recording, asked = True, 0

    def __init__(self, data: float) -> None:
        self.number = Nudged.made
        Nudged.made += 1
        self.data = float(data) + (Nudged.nudge if self.number == Nudged.target else 0.0)
        self.is_leaf, self.passes = True, 0

    @staticmethod
    def start(target: int, nudge: float) -> None:
        """Before each run; a first run (target -1) records the gates."""
        Nudged.made, Nudged.target, Nudged.nudge = 0, target, nudge
        Nudged.recording, Nudged.asked = target == -1, 0
        if Nudged.recording:
            Nudged.gates = []

    def backward(self) -> None:
        self.passes += 1

    def relu(self) -> Nudged:
        if Nudged.recording:
            Nudged.gates.append(self.data > 0)
        Nudged.asked += 1
        return _inner(self.data if Nudged.gates[Nudged.asked - 1] else 0.0)

    def exp(self) -> Nudged:
        return _inner(math.exp(self.data))

    def log(self) -> Nudged:
        return _inner(math.log(self.data))

    def tanh(self) -> Nudged:
        return _inner(math.tanh(self.data))

    def __neg__(self) -> Nudged:
        return _inner(-self.data)


def _inner(data: float) -> Nudged:
    node = Nudged(data)
    node.is_leaf = False
    return node


def _plain(name: str) -> Callable:
    def method(self: Nudged, other: Any) -> Nudged:
        other = other.data if isinstance(other, Nudged) else float(other)
        return _inner(getattr(self.data, name)(other))

    return method


for _name in ("add", "mul", "sub", "truediv", "pow"):
    for _full in (f"__{_name}__", f"__r{_name}__"):
        setattr(Nudged, _full, _plain(_full))


def by_nudging(program: Program, h: float = 1e-5) -> dict[str, float]:
    """As `by_autograd`, by central differences of the output over each node's own value."""

    def output(target: int, nudge: float) -> tuple[float, dict[str, Nudged]]:
        Nudged.start(target, nudge)
        nodes = run(program, Nudged)
        return next(node.data for node in nodes.values() if node.passes), nodes

    _, nodes = output(-1, 0.0)
    passes = max(node.passes for node in nodes.values())
    answer = {}
    for name, node in nodes.items():
        if passes == 1 or node.is_leaf:
            up, down = output(node.number, h)[0], output(node.number, -h)[0]
            answer |= observed(name, node.data, passes * (up - down) / (2 * h))
    return answer
