"""Whether a node that stores its local derivatives is what the engine's own operator makes of the same numbers.

A node made by hand may have any derivatives, and by chance the number of a product. So the operator is asked: new
nodes with the parents' numbers, combined by it, must have this node's number and its stored derivatives, right or
wrong. Then the operator's derivative is known from the operation itself.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from autograder.pictures.ancestors import ancestors
from autograder.pictures.engines import member
from autograder.pictures.parents import Parent, family
from autograder.stepping.local_derivatives import Known, Operand, agreed, by_parent
from autograder.stepping.operations import OPERATIONS, close, evaluated, slopes
from autograder.stepping.writes import number_in

_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
    "neg": operator.neg,
}
_EXPONENTS = (-3.0, -2.0, -1.0, -0.5, 0.5, 1.5, 2.0, 3.0, 4.0)


def by_own_operator(node: object, value: float, parents: Sequence[float], locals_: Sequence[float]) -> Known | None:
    """Return the operation of the engine that makes such a node; None if none does, or if several might.

    Args:
        node: the node; its class is asked.
        value: its number.
        parents: the numbers of its parents, one for each stored derivative.
        locals_: its stored derivatives.
    """
    known = []
    for operation in OPERATIONS.values():
        for operands in _choices(operation.name, len(operation.slopes), len(parents)):
            numbers = [parents[one] if type(one) is int else float(one) for one in operands]
            found = evaluated(operation, numbers)
            if found is None or not close(found, value):
                continue
            if _makes(node, operation.name, operands, parents, value, locals_):
                total = by_parent(operands, slopes(operation, numbers), len(parents))
                known.append(Known(operation, operands, total))
    return agreed(known)


def _choices(name: str, wanted: int, count: int) -> list[tuple[Operand, ...]]:
    if count == wanted:
        return list(itertools.permutations(range(count)))
    return [(0, exponent) for exponent in _EXPONENTS] if name == "pow" and count == 1 else []


def _makes(
    node: object,
    name: str,
    operands: Sequence[Operand],
    parents: Sequence[float],
    value: float,
    locals_: Sequence[float],
) -> bool:
    """Return whether the engine's operator, asked now, gives this number and these derivatives."""
    try:
        made: Any = type(node)
        fresh = [made(number) for number in parents]
        taken = [fresh[one] if type(one) is int else one for one in operands]
        apply = _OPERATORS.get(name) or getattr(type(node), name)
        result = apply(*taken)
        (_, pairs), *_ = ancestors(result)
        found = number_in(member(result, "data"))
        return (
            bool(family(result) & family(node))
            and found is not None
            and close(found, value)
            and _same(pairs, fresh, operands, locals_)
        )
    except Exception:  # the engine's own code, asked in a way that it may not know
        return False


def _same(
    pairs: Sequence[Parent], fresh: Sequence[object], operands: Sequence[Operand], locals_: Sequence[float]
) -> bool:
    stored = {id(parent): local for parent, local in pairs}
    if len(pairs) != len(fresh) or len(stored) != len(fresh):
        return False
    own = [stored.get(id(one)) for one in fresh]
    return all(type(a) in (int, float) and close(float(a), b) for a, b in zip(own, locals_, strict=True))  # type: ignore[arg-type]
