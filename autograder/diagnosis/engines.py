"""A scalar engine that can be wrong in one named way: what a student's `Value` gives under that mistake."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autograder.references.programs import observed, run

LONGEST = 400
"""Programs that make more nodes are not predicted: a mistake may visit a node once per path."""


class TooLongError(ArithmeticError):
    """No prediction."""


class Node:
    """A node of the wrong engine; `flaw` is set for one run."""

    flaw = ""
    made = 0

    def __init__(self, data: float, parents: tuple = (), locals_: tuple = (), operation: str = "") -> None:
        Node.made += 1
        if Node.made > LONGEST:
            raise TooLongError
        self.data, self.grad = data, 0.0
        self.parents, self.locals, self.operation = parents, locals_, operation

    def backward(self) -> None:
        order = _visits(self)
        for node in order:
            leaf = not node.parents
            if Node.flaw == "gradients reset by a second backward" or (
                not leaf and Node.flaw != "old gradients passed on again"
            ):
                node.grad = 0.0
        if Node.flaw == "the output's own gradient missing":
            self.grad = 0.0
        elif Node.flaw == "old gradients passed on again":
            self.grad += 1.0
        else:
            self.grad = 1.0
        for node in order:
            for position, (parent, local) in enumerate(zip(node.parents, node.locals, strict=True)):
                _pass_on(node, position, parent, local)

    def relu(self) -> Node:
        slope = float(self.data > 0)
        if Node.flaw == "relu's gate forgotten" or (Node.flaw == "relu'(0) taken as 1" and self.data == 0):
            slope = 1.0
        return Node(max(self.data, 0.0), (self,), (slope,), "relu")

    def exp(self) -> Node:
        return Node(math.exp(self.data), (self,), (math.exp(self.data),), "exp")

    def log(self) -> Node:
        return Node(math.log(self.data), (self,), (1 / self.data,), "log")

    def tanh(self) -> Node:
        t = math.tanh(self.data)
        return Node(t, (self,), (1 - t * t,), "tanh")

    def __neg__(self) -> Node:
        return Node(-self.data, (self,), (-1.0,), "negation")

    def __add__(self, other: Any) -> Node:
        return _binary(self, other, lambda a, b: (a + b, 1.0, 1.0), "addition")

    def __sub__(self, other: Any) -> Node:
        return _binary(self, other, lambda a, b: (a - b, 1.0, -1.0), "subtraction")

    def __mul__(self, other: Any) -> Node:
        return _binary(self, other, lambda a, b: (a * b, b, a), "multiplication")

    def __truediv__(self, other: Any) -> Node:
        return _binary(self, other, lambda a, b: (a / b, 1 / b, -a / b**2), "division")

    def __pow__(self, other: Any) -> Node:
        return _binary(self, other, _power, "power")

    def __radd__(self, other: Any) -> Node:
        return Node(other) + self

    def __rmul__(self, other: Any) -> Node:
        return Node(other) * self

    def __rsub__(self, other: Any) -> Node:
        return self - other if Node.flaw == "2 - x taken as x - 2" else Node(other) - self

    def __rtruediv__(self, other: Any) -> Node:
        return self / other if Node.flaw == "2 / x taken as x / 2" else Node(other) / self

    def __rpow__(self, other: Any) -> Node:
        return self**other if Node.flaw == "2 ** x taken as x ** 2" else Node(other) ** self


def _binary(left: Node, right: Any, operation: Callable, name: str) -> Node:
    right = right if isinstance(right, Node) else Node(right)
    data, to_left, to_right = operation(left.data, right.data)
    return Node(data, (left, right), (to_left, to_right), name)


def _power(a: float, b: float) -> tuple[float, float, float]:
    return a**b, b * a ** (b - 1), a**b * math.log(a) if a > 0 else 0.0


def _pass_on(node: Node, position: int, parent: Node, local: float) -> None:
    """One step of the chain rule, wrong where the flaw says so."""
    flaw, share = Node.flaw, node.grad * local
    if flaw in ("upstream gradient ignored", f"{node.operation}: upstream gradient ignored"):
        share = local
    elif flaw == f"{node.operation}: wrong sign":
        share = -share
    elif flaw == f"{node.operation}: no gradient":
        share = 0.0
    elif flaw == f"{node.operation}: wrong local derivative":
        share = node.grad * _wrong_local(node, position)
    if flaw in ("overwritten instead of added", f"{node.operation}: overwritten instead of added"):
        parent.grad = share
    else:
        parent.grad += share


def _wrong_local(node: Node, position: int) -> float:
    """The local derivative that people write by mistake, per operation."""
    values = [parent.data for parent in node.parents]
    wrong: dict[str, Callable[[], float]] = {
        "multiplication": lambda: values[position],
        "division": lambda: 1 / values[1] if position == 0 else -values[0] / values[1],
        "power": lambda: values[0] ** (values[1] - 1) if position == 0 else 0.0,
        "subtraction": lambda: 1.0,
        "negation": lambda: 1.0,
        "exp": lambda: values[0],
        "log": lambda: node.data,
        "tanh": lambda: 1 - node.data,
        "relu": lambda: 1.0,
    }
    return wrong[node.operation]() if node.operation in wrong else node.locals[position]


def _visits(output: Node) -> list[Node]:
    """The order of the backward pass; wrong where the flaw says so."""
    if Node.flaw == "a node visited before all its uses":
        return _first_met_first(output)
    if Node.flaw == "a node visited once per use":
        return _every_use(output)
    order: list[Node] = []
    seen: set[int] = set()
    stack = [(output, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack += [(parent, False) for parent in node.parents]
    return order[::-1]


def _first_met_first(output: Node) -> list[Node]:
    order, seen = [output], {id(output)}
    for node in order:
        for parent in node.parents:
            if id(parent) not in seen:
                seen.add(id(parent))
                order.append(parent)
    return order


def _every_use(output: Node) -> list[Node]:
    order = [output]
    for node in order:
        order += node.parents
        if len(order) > LONGEST:
            raise TooLongError
    return order


def under(flaw: str) -> Callable[[str], dict[str, float]]:
    """From a program to what it finds with an engine that has this flaw."""

    def answer(program: str) -> dict[str, float]:
        Node.flaw, Node.made = flaw, 0
        seen: dict[str, float] = {}
        try:
            for name, node in run(program, Node).items():
                seen |= observed(name, node.data, node.grad)
        finally:
            Node.flaw = ""
        return seen

    return answer
