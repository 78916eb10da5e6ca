"""A node's local derivatives, from the numbers of its forward pass and never from the engine's backward pass.

Its operation is known by what the node stores (`hints`) and confirmed by its number, or by its number alone where no
other operation gives it. What is ambiguous stays unknown.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from autograder.stepping.hints import Hints
from autograder.stepping.operations import CLOSE, OPERATIONS, Operation, close, evaluated, slopes

Operand = int | float
"""A parent, by its place as an `int`, or a constant, as a `float`."""
EXACT = 1e-12
_TELLING = ("exp", "log", "tanh", "sigmoid", "softplus", "sin", "cos", "tan", "sinh", "cosh", "atan")
"""Functions whose numbers give them away: hardly any other operation has such a result."""


@dataclass(frozen=True)
class Known:
    """An operation that gives a node its number.

    Attributes:
        operation: the operation.
        operands: what it is taken of.
        slopes: the node's derivative with respect to each parent; None where there is none.
    """

    operation: Operation
    operands: tuple[Operand, ...]
    slopes: tuple[float | None, ...]

    def formula(self, labels: Sequence[str]) -> str:
        """Write the operation with labels for the parents: "a * b"."""
        return self.operation.form.format(*(labels[one] if type(one) is int else f"{one:g}" for one in self.operands))


def by_hints(value: float, parents: Sequence[float], found: Hints, order: Sequence[int] | None) -> Known | None:
    """Identify an operation that the node's label or function names.

    Args:
        value: the node's number.
        parents: its parents' numbers.
        found: what the node stores.
        order: the parents' places in the order of the operands, if known.
    """
    known = list(_of(found.operations, value, parents, found.constants, CLOSE, repeats=found.unordered))
    if not found.unordered or order is not None:
        first = tuple(range(len(parents)) if order is None else order)
        known = [one for one in known if one.operands == first] or known
    return agreed(known) or (_many(found.operations, value, parents))


def by_number(value: float, parents: Sequence[float], unordered: bool) -> Known | None:
    """Identify the only operation that gives this number; None if several do, or if it may be a coincidence."""
    candidates: Iterable[Operation] = (
        OPERATIONS.values() if len(parents) == 2 or unordered else [OPERATIONS[name] for name in _TELLING]
    )
    known = list(_of(candidates, value, parents, (), EXACT, repeats=unordered))
    if len(parents) == 1 and (unordered or _plain(value)):
        known = [one for one in known if one.operation.name in _TELLING and not _plain(value)]
    return agreed(known)


def _of(
    operations: Iterable[Operation],
    value: float,
    parents: Sequence[float],
    constants: Sequence[float],
    tolerance: float,
    *,
    repeats: bool,
) -> Iterator[Known]:
    """Yield each operation with each choice of operands that gives the value and uses every parent."""
    for operation in operations:
        wanted = len(operation.slopes)
        pool: list[Operand] = [*range(len(parents)), *(float(one) for one in dict.fromkeys(constants))]
        for operands in itertools.product(pool, repeat=wanted):
            places = [one for one in operands if type(one) is int]
            if set(places) != set(range(len(parents))) or (len(places) > len(parents) and not repeats):
                continue
            numbers = [parents[one] if type(one) is int else one for one in operands]
            found = evaluated(operation, numbers)
            if found is not None and close(found, value, tolerance):
                yield Known(operation, operands, by_parent(operands, slopes(operation, numbers), len(parents)))


def by_parent(operands: Sequence[Operand], found: Sequence[float | None], count: int) -> tuple[float | None, ...]:
    """Add up the derivatives with respect to each of `count` parents, from those with respect to the operands."""
    total: list[float | None] = [0.0] * count
    for operand, slope in zip(operands, found, strict=True):
        if type(operand) is int:
            so_far = total[operand]
            total[operand] = None if slope is None or so_far is None else so_far + slope
    return tuple(total)


def _many(operations: Sequence[Operation], value: float, parents: Sequence[float]) -> Known | None:
    """A sum or a product of three or more parents."""
    places = tuple(range(len(parents)))
    for name, total, form in (("add", sum, " + "), ("mul", _product, " * ")):
        if len(parents) > 2 and OPERATIONS[name] in operations and close(total(parents), value):
            others = [_product([*parents[:at], *parents[at + 1 :]]) for at in places]
            whole = Operation(name, form.join("{}" for _ in places), lambda *all_: value, ())
            return Known(whole, places, tuple([1.0] * len(parents) if name == "add" else others))
    return None


def _product(numbers: Sequence[float]) -> float:
    total = 1.0
    for number in numbers:
        total *= number
    return total


def agreed(known: Sequence[Known]) -> Known | None:
    """Return the first if all have the same derivatives, else None."""
    if not known or any(not _alike(one.slopes, known[0].slopes) for one in known):
        return None
    return known[0]


def _alike(one: Sequence[float | None], other: Sequence[float | None]) -> bool:
    return all(a is b if a is None or b is None else close(a, b, scale=1e-9) for a, b in zip(one, other, strict=True))


def _plain(value: float) -> bool:
    """Whether a number has few digits, so that many operations may give it."""
    return float(f"{value:.6g}") == value
