"""Scalar engines to step through: right ones in many styles, and wrong ones."""

from __future__ import annotations

from typing import Any

from autograder.stepping import Stepper, step_through


class Node:
    """An engine in the manner of micrograd: closures, a set of parents, a topological sort."""

    def __init__(self, data: float, parents: tuple = (), op: str = "") -> None:
        self.data, self.grad = data, 0.0
        self._prev, self._op, self._backward = set(parents), op, lambda: None

    def add_to(self, share: float) -> None:
        self.grad += share

    def __add__(self, other: Node) -> Node:
        out = type(self)(self.data + other.data, (self, other), "+")

        def push() -> None:
            self.add_to(out.grad)
            other.add_to(out.grad)

        out._backward = push
        return out

    def __mul__(self, other: Node) -> Node:
        out = type(self)(self.data * other.data, (self, other), "*")

        def push() -> None:
            self.add_to(other.data * out.grad)
            other.add_to(self.data * out.grad)

        out._backward = push
        return out

    def relu(self) -> Node:
        out = type(self)(max(self.data, 0.0), (self,), "ReLU")

        def push() -> None:
            self.add_to((self.data > 0) * out.grad)

        out._backward = push
        return out

    def order(self) -> list[Node]:
        found: list[Node] = []
        seen: set[Node] = set()

        def visit(node: Node) -> None:
            if node not in seen:
                seen.add(node)
                for parent in sorted(node._prev, key=lambda one: one.data):
                    visit(parent)
                found.append(node)

        visit(self)
        return found[::-1]

    def backward(self) -> None:
        self.grad = 1.0
        for node in self.order():
            node._backward()


def graph(engine: type[Any]) -> dict[str, Any]:
    """Two paths lead from x to y, and y is their product."""
    x, w, b = engine(3.0), engine(2.0), engine(1.0)
    u = x * w
    v = u + x
    t = v + b
    return {"x": x, "w": w, "b": b, "u": u, "v": v, "t": t, "y": t * u}


def stepped(engine: type[Any]) -> Stepper:
    names = graph(engine)
    shown = step_through(names["y"], names=names)
    assert shown is not None
    return shown


def numbers(shown: Stepper) -> dict[str, str]:
    return {shown.sweep.places[step.node].label: step.yours for step in shown.sweep.steps}


RIGHT = {"y": "1", "t": "6", "v": "6", "b": "6", "u": "16", "x": "38", "w": "48"}


class Overwrites(Node):
    def add_to(self, share: float) -> None:
        self.grad = share


class InputsFirst(Node):
    def order(self) -> list[Node]:
        return [self, *super().order()[:0:-1]]


class DepthFirst(Node):
    def order(self) -> list[Node]:
        found, waiting = [], [self]
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.append(node)
                waiting += sorted(node._prev, key=lambda one: -one.data)
        return found


class ForgetsOne(Node):
    def __add__(self, other: Node) -> Node:
        out = super().__add__(other)
        out._backward = lambda: self.add_to(out.grad)
        return out


class WrongSign(Node):
    def __add__(self, other: Node) -> Node:
        out = super().__add__(other)

        def push() -> None:
            self.add_to(out.grad)
            other.add_to(-out.grad)

        out._backward = push
        return out


class WrongLocal(Node):
    def __mul__(self, other: Node) -> Node:
        out = super().__mul__(other)

        def push() -> None:
            self.add_to(self.data * out.grad)
            other.add_to(other.data * out.grad)

        out._backward = push
        return out


class NoUpstream(Node):
    def __mul__(self, other: Node) -> Node:
        out = super().__mul__(other)

        def push() -> None:
            upstream = out.grad
            self.add_to(other.data + 0 * upstream)
            other.add_to(self.data + 0 * upstream)

        out._backward = push
        return out


class NoSeed(Node):
    def backward(self) -> None:
        for node in self.order():
            node._backward()


class EveryUse(Node):
    def backward(self) -> None:
        self.grad = 1.0

        def visit(node: Node) -> None:
            node._backward()
            for parent in sorted(node._prev, key=lambda one: one.data):
                visit(parent)

        visit(self)


class WithSlots:
    __slots__ = ("_grad", "data", "pairs")

    def __init__(self, data: float, pairs: tuple = ()) -> None:
        self.data, self.pairs, self._grad = data, pairs, 0.0

    @property
    def grad(self) -> float:
        return self._grad

    @grad.setter
    def grad(self, value: float) -> None:
        self._grad = value

    def __add__(self, other: WithSlots) -> WithSlots:
        return WithSlots(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other: WithSlots) -> WithSlots:
        return WithSlots(self.data * other.data, ((self, other.data), (other, self.data)))

    def backward(self) -> None:
        users: dict[WithSlots, int] = {self: 0}
        for node in (waiting := [self]):
            for parent, _ in node.pairs:
                if parent not in users:
                    waiting.append(parent)
                users[parent] = users.get(parent, 0) + 1
        self.grad = 1.0
        ready = [self]
        while ready:
            node = ready.pop()
            for parent, local in node.pairs:
                parent.grad += node.grad * local
                users[parent] -= 1
                ready += [parent] if not users[parent] else []


class PlainSlots(WithSlots):
    __slots__ = ("grad",)

    def __init__(self, data: float, pairs: tuple = ()) -> None:
        super().__init__(data, pairs)
        self.grad = 0.0

    def __add__(self, other: WithSlots) -> PlainSlots:
        return PlainSlots(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other: WithSlots) -> PlainSlots:
        return PlainSlots(self.data * other.data, ((self, other.data), (other, self.data)))


class PathByPath(Node):
    """Each path on its own: right, and slow."""

    def backward(self, upstream: float = 1.0) -> None:
        self.grad += upstream
        if self._op:
            one, other = [*self._prev, *self._prev][:2]
            local = (1.0, 1.0) if self._op == "+" else (other.data, one.data)
            one.backward(upstream * local[0])
            other.backward(upstream * local[1])


class InATable(Node):
    """Numbers in a table until all are known; written from the inputs to the output."""

    def backward(self) -> None:
        table = {self: 1.0}
        for node in self.order():
            if node._op:
                one, other = [*node._prev, *node._prev][:2]
                table[one] = table.get(one, 0.0) + table[node] * (1.0 if node._op == "+" else other.data)
                table[other] = table.get(other, 0.0) + table[node] * (1.0 if node._op == "+" else one.data)
        for node in reversed(self.order()):
            node.grad += table[node]


class ClearsInner(Node):
    def backward(self) -> None:
        super().backward()
        for node in self.order():
            if node._op:
                node.grad = 0.0


class NoneAtFirst(Node):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.grad = None

    def add_to(self, share: float) -> None:
        self.grad = share if self.grad is None else self.grad + share


class OwnSetattr(Node):
    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, float(value) if name == "grad" else value)  # type: ignore[arg-type]


STYLES = [Node, WithSlots, PlainSlots, PathByPath, InATable, ClearsInner, NoneAtFirst, OwnSetattr]
