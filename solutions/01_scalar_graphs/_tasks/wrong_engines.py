"""A scalar engine that can be wrong in one named way: what a student's `Value` gives under that mistake."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autograder.probes.programs import Program, executed

from .scalar_programs import Pairs, evaluated

LONGEST = 400
"""Programs that make more nodes are not predicted: a mistake may visit a node once per path."""


class TooLongError(ArithmeticError):
    """No prediction."""


class Node:
    """A node of the wrong engine; `flaw` is set for one run."""

    flaw, variant = "", 0
    made = 0

    def __init__(self, data: float, inputs: Pairs = (), operation: str = "") -> None:
        Node.made += 1
        if Node.made > LONGEST:
            raise TooLongError
        if isinstance(data, complex):
            raise ArithmeticError("no prediction beyond the real numbers")
        self.data, self.grad = data, 0.0
        self.inputs, self.operation = inputs, operation

    @property
    def parents(self) -> list[Node]:
        return [node for node, _ in self.inputs]

    def derivative(self, node: Node) -> float:
        """By a backward pass of its own, as in an engine that knows no other way."""
        for one in (node, *_visits(self)):
            one.grad = 0.0
        self.backward()
        return node.grad

    def backward(self) -> None:
        order = _visits(self)
        stale = Node.flaw == "old gradients passed on again"
        for node in order:
            if Node.flaw == "gradients reset by a second backward" or (node.parents and not stale):
                node.grad = 0.0
        if Node.flaw == "the output's own gradient missing":
            self.grad = 0.0
        else:
            self.grad = self.grad + 1.0 if stale and Node.variant == 0 else 1.0
        for node in order:
            for position, (parent, local) in enumerate(node.inputs):
                _pass_on(node, position, parent, local)

    def relu(self) -> Node:
        slope = float(self.data > 0)
        if Node.flaw == "relu's gate forgotten":
            slope = 1.0
        elif self.data == 0 and Node.flaw.startswith("relu'(0) taken as"):
            slope = 0.5 if Node.flaw.endswith("/2") else 1.0
        return Node(max(self.data, 0.0), [(self, slope)], "relu")

    def exp(self) -> Node:
        return Node(math.exp(self.data), [(self, math.exp(self.data))], "exp")

    def log(self) -> Node:
        return Node(math.log(self.data), [(self, 1 / self.data)], "log")

    def tanh(self) -> Node:
        t = math.tanh(self.data)
        return Node(t, [(self, 1 - t * t)], "tanh")

    def __neg__(self) -> Node:
        return Node(-self.data, [(self, -1.0)], "negation")

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
        return self + other if _number_second() else Node(other) + self

    def __rmul__(self, other: Any) -> Node:
        return self * other if _number_second() else Node(other) * self

    def __rsub__(self, other: Any) -> Node:
        return self - other if Node.flaw == "2 - x taken as x - 2" else Node(other) - self

    def __rtruediv__(self, other: Any) -> Node:
        return self / other if Node.flaw == "2 / x taken as x / 2" else Node(other) / self

    def __rpow__(self, other: Any) -> Node:
        return self**other if Node.flaw == "2 ** x taken as x ** 2" else Node(other) ** self


def _number_second() -> bool:
    """Whether a number on the left becomes the second operand, which matters if only the first gets a gradient."""
    return Node.variant == 1 and Node.flaw.endswith("no gradient for the second operand")


def _binary(left: Node, right: Any, operation: Callable, name: str) -> Node:
    right = right if isinstance(right, Node) else Node(right)
    data, to_left, to_right = operation(left.data, right.data)
    return Node(data, [(left, to_left), (right, to_right)], name)


def _power(a: float, b: float) -> tuple[float, float, float]:
    return a**b, b * a ** (b - 1) if b else 0.0, a**b * math.log(a) if a > 0 else 0.0


def _pass_on(node: Node, position: int, parent: Node, local: float) -> None:
    """One step of the chain rule, wrong where the flaw says so."""
    flaw, share = Node.flaw, node.grad * local
    if flaw in ("upstream gradient ignored", f"{node.operation}: upstream gradient ignored"):
        share = local
    elif flaw == "local derivative ignored":
        share = node.grad
    elif flaw == f"{node.operation}: wrong sign" and position == MINUS.get(node.operation, position):
        share = -share
    elif flaw == f"{node.operation}: no gradient":
        share = 0.0
    elif flaw == f"{node.operation}: no gradient for the second operand" or (
        flaw == "power: exponent without gradient" and node.operation == "power"
    ):
        share *= position == 0
    elif flaw == "relu: gate of the gradient instead of the input" and node.operation == "relu":
        share = max(node.grad, 0.0)
    elif flaw == f"{node.operation}: wrong local derivative":
        share = node.grad * _wrong_local(node, position)
    if flaw in ("overwritten instead of added", f"{node.operation}: overwritten instead of added"):
        parent.grad = share
    else:
        parent.grad += share


MINUS = {"subtraction": 1, "division": 1}
"""Where the local derivative has a minus that people lose."""
# The local derivatives that people write by mistake: for each operation, functions of the operands' values
# and the result, one per operand; None where that operand is right.
WRONG_LOCALS: dict[str, list[tuple[Callable[..., float] | None, ...]]] = {
    "addition": [(lambda a, b, y: a, lambda a, b, y: b)],
    "subtraction": [(lambda a, b, y: -1.0, None)],
    "negation": [(lambda a, y: a,)],
    "multiplication": [
        (lambda a, b, y: a, lambda a, b, y: b),
        (lambda a, b, y: a, None),
        (None, lambda a, b, y: b),
        (lambda a, b, y: 1.0, lambda a, b, y: 1.0),
    ],
    "division": [
        (None, lambda a, b, y: -a / b),
        (None, lambda a, b, y: 1 / b),
        (None, lambda a, b, y: a / b),
        (None, lambda a, b, y: -1 / b**2),
        (lambda a, b, y: b, None),
        (None, lambda a, b, y: -a),
        (None, lambda a, b, y: a),
        (None, lambda a, b, y: -y),
        (lambda a, b, y: -a / b**2, lambda a, b, y: 1 / b),
    ],
    "power": [
        (lambda a, b, y: a ** (b - 1), None),
        (lambda a, b, y: a ** (b - 1), lambda a, b, y: 0.0),
        (lambda a, b, y: b * a**b, None),
        (lambda a, b, y: b * a, None),
        (None, lambda a, b, y: y),
        (None, lambda a, b, y: y * math.log(b)),
        (None, lambda a, b, y: math.log(a)),
    ],
    "relu": [(lambda a, y: y,), (lambda a, y: a,)],
    "exp": [(lambda a, y: a,), (lambda a, y: a * math.exp(a - 1),), (lambda a, y: 1.0,)],
    "log": [(lambda a, y: y,), (lambda a, y: 1 / y,), (lambda a, y: 1 / (a * math.log(10)),)],
    "tanh": [
        (lambda a, y: 1 - y,),
        (lambda a, y: 1 - a * a,),
        (lambda a, y: 1 + y * y,),
        (lambda a, y: y,),
        (lambda a, y: y * y,),
    ],
}  # fmt: skip
OPERATIONS = tuple(WRONG_LOCALS)


def _wrong_local(node: Node, position: int) -> float:
    wrong = WRONG_LOCALS[node.operation][Node.variant][position]
    if wrong is None:
        return node.inputs[position][1]
    return wrong(*(parent.data for parent in node.parents), node.data)


def _visits(output: Node) -> list[Node]:
    """The order of the backward pass; wrong where the flaw says so."""
    if Node.flaw == "not in topological order":
        return ORDERS[Node.variant](output)
    if Node.flaw == "node visited once per use":
        return _every_use(output)
    by_number = Node.flaw == "nodes compared by value"
    order: list[Node] = []
    seen: set[float] = set()
    stack = [(output, False)]
    while stack:
        node, done = stack.pop()
        key = node.data if by_number else id(node)
        if done:
            order.append(node)
        elif key not in seen:
            seen.add(key)
            stack.append((node, True))
            stack += [(parent, False) for parent in node.parents]
    return order[::-1]


def _first_met_first(output: Node) -> list[Node]:
    """Breadth first."""
    order, seen = [output], {id(output)}
    for node in order:
        for parent in node.parents:
            if id(parent) not in seen:
                seen.add(id(parent))
                order.append(parent)
    return order


def _depth_first(output: Node, turned: bool = False) -> list[Node]:
    """A node before its parents, the first parent's whole past before the second's; or the other way round."""
    order: list[Node] = []
    seen: set[int] = set()
    stack = [output]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            order.append(node)
            stack += node.parents if turned else node.parents[::-1]
    return order


def _inputs_first(output: Node) -> list[Node]:
    """The right order turned round."""
    flaw, Node.flaw = Node.flaw, ""
    try:
        return _visits(output)[::-1]
    finally:
        Node.flaw = flaw


ORDERS: tuple[Callable[[Node], list[Node]], ...] = (
    _first_met_first,
    _depth_first,
    lambda output: _depth_first(output, turned=True),
    _inputs_first,
)


def _every_use(output: Node) -> list[Node]:
    order = [output]
    for node in order:
        order += node.parents
        if len(order) > LONGEST:
            raise TooLongError
    return order


def flawed(flaw: str, variant: int = 0) -> Callable[[Program], dict[str, float]]:
    """From a program to what it shows with an engine that has this flaw."""

    def answer(program: Program) -> dict[str, float]:
        Node.flaw, Node.variant, Node.made = flaw, variant, 0
        try:
            return evaluated(program, Node)
        finally:
            Node.flaw = ""

    answer.takes_programs = True
    return answer


def graph_of_values(program: Program) -> tuple[Node, dict[str, Any]] | None:
    """A program's last node with the names of all, from an engine without a flaw; None of a large graph."""
    Node.made = 0
    try:
        names = executed(program.text, {"Value": Node})
    except (ArithmeticError, ValueError):  # too large, or beyond the real numbers
        return None
    nodes = {name: node for name, node in names.items() if isinstance(node, Node)}
    backwards = not any(one.endswith(".data") for one in program.shown)
    return list(nodes.values())[-1], {"names": nodes, "backwards": backwards}
