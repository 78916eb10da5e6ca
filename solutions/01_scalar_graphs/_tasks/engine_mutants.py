"""Mutants of the scalar engine: each operation's local derivatives, the reflected ones, the pass, its order.

General operators change one token. What goes wrong in an engine is an idea: the gradient from above is
ignored, a node is visited too early. Each change here is made on the syntax tree of a published cell, and
where it finds nothing to change it raises, so that a new solution gets a new set.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

REFLECTED = {"__radd__": "+", "__rmul__": "*", "__rsub__": "-", "__rtruediv__": "/", "__rpow__": "**"}
LOCALS = {
    "sign": "-({local})",
    "always zero": "0.0",
    "missing factor": "1.0",
    "twice": "2 * ({local})",
    "its inverse": "1 / ({local} or 1.0)",
}
CONSTANT_TOO = ("missing factor", "its inverse")  # 1 stays 1, -1 is its own inverse
ACCUMULATED = "source.grad += local * node.grad"
WAYS_TO_PASS_ON = {
    "upstream ignored": "source.grad += local",
    "overwritten": "source.grad = local * node.grad",
    "taken away": "source.grad -= local * node.grad",
    "nothing": "source.grad += 0.0",
    "local derivative ignored": "source.grad += node.grad",
    "local derivative added": "source.grad += local + node.grad",
    "its own number as upstream": "source.grad += local * node.data",
}
VISITED = "reversed(order)"
ORDERS = {
    "inputs first": "order",
    "depth first, as discovered": "_found(self, -1)",
    "breadth first, as discovered": "_found(self, 0)",
    "shuffled": "[self, *__import__('random').Random(1).sample(order[:-1], len(order) - 1)]",
    "output left out": "reversed(order[:-1])",
    "one node left out": "reversed([n for n in order if n is not order[-2]])",
    "output twice": "[self, *reversed(order)]",
    "largest number first": "sorted(order, key=lambda node: -node.data)",
    "every path": "_paths(self)",
}
HELPERS = """
def _found(node, end):
    found, waiting = [], [node]
    while waiting:
        node = waiting.pop(end)
        if not any(node is other for other in found):
            found.append(node)
            waiting.extend(source for source, _ in node.inputs)
    return found


def _paths(node):
    yield node
    for source, _ in node.inputs:
        yield from _paths(source)
"""


class NoSuchPlaceError(LookupError):
    """The published engine no longer looks as this set expects it."""


Named = Iterator[tuple[str, str]]
"""What is changed, and the changed source."""


def of_operations(source: str, operations: Sequence[str]) -> list[tuple[str, str]]:
    """Change operations that a published cell defines.

    Args:
        source: the cell.
        operations: their names.

    Returns:
        For each mutant what is changed, and the changed cell.

    Raises:
        NoSuchPlaceError: where the cell has nothing of what is to be changed.
    """
    makers = (_local_derivatives, _swapped_inputs, _lost_inputs)
    return [(f"engine: {name}", text) for make in makers for name, text in make(source, operations)]


def of_backward(source: str) -> list[tuple[str, str]]:
    """Change the pass of a published cell; see `of_operations`."""
    return [(f"engine: {name}", text) for make in (_passing_on, _orders) for name, text in make(source)]


def of_reflected(source: str) -> list[tuple[str, str]]:
    """Change what a number on the left does in a published cell; see `of_operations`."""
    lost = _lost_inputs(source, ("__sub__", *REFLECTED))
    return [(f"engine: {name}", text) for name, text in (*_reflected(source), *lost)]


def _local_derivatives(source: str, operations: Sequence[str]) -> Named:
    """Every local derivative of every operation, wrong in each way."""
    for operation in operations:
        for index in range(len(_pairs(ast.parse(source), operation))):
            constant = isinstance(_pairs(ast.parse(source), operation)[index].elts[1], ast.Constant | ast.UnaryOp)
            for name, formula in LOCALS.items():
                if constant and name in CONSTANT_TOO:
                    continue

                def change(tree: ast.Module, operation=operation, index=index, formula=formula) -> None:
                    pair = _pairs(tree, operation)[index]
                    pair.elts[1] = _expression(formula.format(local=ast.unparse(pair.elts[1])))

                yield f"{operation}, {name}", _changed(source, change)


def _swapped_inputs(source: str, operations: Sequence[str]) -> Named:
    """The two local derivatives of an operation change places."""
    for operation in operations:

        def change(tree: ast.Module, operation=operation) -> None:
            first, second = _pairs(tree, operation)
            first.elts[1], second.elts[1] = second.elts[1], first.elts[1]

        if len(_pairs(ast.parse(source), operation)) == 2:
            yield f"{operation}, swapped operands", _changed(source, change)


def _lost_inputs(source: str, operations: Sequence[str]) -> Named:
    """The right number, from which no way leads back to what went into it."""
    for operation in operations:

        def change(tree: ast.Module, operation=operation) -> None:
            for returned in _returns(tree, operation):
                returned.value = _expression(f"Value(({ast.unparse(returned.value)}).data)")

        yield f"{operation}, no inputs", _changed(source, change)


def _passing_on(source: str) -> Named:
    """The gradient is passed on wrongly."""
    if source.count(ACCUMULATED) != 1:
        raise NoSuchPlaceError(ACCUMULATED)
    for name, instead in WAYS_TO_PASS_ON.items():
        yield name, source.replace(ACCUMULATED, instead)


def _orders(source: str) -> Named:
    """Nodes visited too early, too often, or not at all; or told apart by their numbers."""
    for was in (VISITED, "id(node)", "if node.inputs:"):
        if was not in source:
            raise NoSuchPlaceError(was)
    for name, instead in ORDERS.items():
        yield f"order: {name}", source.replace(VISITED, instead) + HELPERS
    yield "order: nodes compared by value", source.replace("id(node)", "node.data")
    yield "order: all gradients cleared first", source.replace("if node.inputs:", "if True:")
    yield "order: only inner gradients kept", source.replace("if node.inputs:", "if not node.inputs:")


def _reflected(source: str) -> Named:
    """A number on the left: operands in the other order, lost, or without a way back."""
    for name, sign in REFLECTED.items():
        for flaw, formula in {
            "operands swapped": f"self {sign} Value(number)",
            "number lost": "self",
            "taken for its negative": f"-(Value(number) {sign} self)",
            "node lost": "Value(number)",
            "a plain number": f"number {sign} self.data",
            "not implemented": "NotImplemented",
        }.items():
            if flaw == "operands swapped" and sign in ("+", "*"):
                continue  # they may change places

            def change(tree: ast.Module, name=name, formula=formula) -> None:
                for returned in _returns(tree, name):
                    returned.value = _expression(formula)

            yield f"{name}, {flaw}", _changed(source, change)


def _changed(source: str, change: Callable[[ast.Module], None]) -> str:
    tree = ast.parse(source)
    change(tree)
    return ast.unparse(ast.fix_missing_locations(tree))


def _method(tree: ast.Module, name: str) -> ast.FunctionDef:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    raise NoSuchPlaceError(name)


def _pairs(tree: ast.Module, operation: str) -> list[ast.Tuple]:
    """The pairs (what went in, local derivative) of an operation."""
    found = [
        node
        for node in ast.walk(_method(tree, operation))
        if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.elts[0], ast.Name)
    ]
    if not found:
        raise NoSuchPlaceError(f"local derivatives in {operation}")
    return found


def _returns(tree: ast.Module, operation: str) -> list[ast.Return]:
    found = [node for node in ast.walk(_method(tree, operation)) if isinstance(node, ast.Return)]
    if not found:
        raise NoSuchPlaceError(f"a result of {operation}")
    return found


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
