"""What a node stores about the operation that made it: a label, a function, constants, local derivatives.

Only storage is read, as everywhere in `pictures.parents`: no code of the engine runs.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.pictures.engines import OPERATION
from autograder.pictures.parents import Parent, stored
from autograder.stepping.operations import Operation, named

_LABELS = (*OPERATION, "op_name", "opname", "operator", "fn", "func", "function", "type")
_NOT_CONSTANTS = ("data", "grad", "label", "name", "id", "index", "number", "visited", "seen")


@dataclass(frozen=True)
class Hints:
    """What a node stores.

    Attributes:
        operations: those that its label, its functions' names or its class's name stand for; of one source, the first
            that names any.
        constants: numbers beside its own that it stores.
        order: its parents as the operands stand in the code, where a set has lost that; else None.
        unordered: whether a set holds its parents.
        locals: its local derivatives by parent, where a function holds them.
    """

    operations: Sequence[Operation]
    constants: Sequence[float]
    order: Sequence[object] | None
    unordered: bool
    locals: Sequence[Parent]


def hints(node: object, parents: Sequence[object]) -> Hints:
    """Read what a node stores about its operation.

    Args:
        node: the node.
        parents: its parents.
    """
    own = stored(node)
    operations: list[Operation] = []
    constants: list[float] = []
    for text in _texts(node, own):
        found, constant = named(text)
        constants += [] if constant is None else [constant]
        if found and not operations:
            operations = found
    order: list[object] | None = None
    locals_: list[Parent] = []
    for function in map(_inner, own.values()):
        if function is None:
            continue
        held = _held(function)
        constants += [float(one) for one in held.values() if type(one) in (int, float)]  # type: ignore[arg-type]
        order = order or _order(held, parents)
        locals_ = locals_ or _locals(held, parents)
    for name, value in own.items():
        if type(value) in (int, float) and name.strip("_") not in _NOT_CONSTANTS:
            constants.append(float(value))  # type: ignore[arg-type]
    in_a_set = any(
        type(value) in (set, frozenset) and any(one is parent for one in value for parent in parents)  # type: ignore[attr-defined]
        for value in own.values()
    )
    return Hints(operations, constants, order, in_a_set, locals_)


def _texts(node: object, own: dict[str, object]) -> Iterator[str]:
    for name, value in own.items():
        if name.strip("_") in _LABELS and type(value) is str:
            yield value
    for value in own.values():
        if (function := _inner(value)) is not None:
            yield str(getattr(function, "__qualname__", "")) or str(getattr(function, "__name__", ""))
        elif type(value) is types.BuiltinFunctionType:
            yield value.__name__
    yield type.__getattribute__(type(node), "__name__")


def _inner(value: object) -> types.FunctionType | None:
    """Return the function in a stored function, method or partial."""
    if type(value) is functools.partial:
        value = value.func
    if type(value) is types.MethodType:
        value = value.__func__
    return value if type(value) is types.FunctionType else None


def _held(function: types.FunctionType) -> dict[str, object]:
    """Return what a function keeps from where it was made, by name: its cells and its defaults."""
    held: dict[str, object] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            held[name] = cell.cell_contents
        except ValueError:
            continue  # not bound yet
    defaults = function.__defaults__ or ()
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return dict(zip(names[len(names) - len(defaults) :], defaults, strict=True)) | held


def _order(held: dict[str, object], parents: Sequence[object]) -> list[object] | None:
    """Return the parents with the one that the code calls `self` first; None if that does not tell their order."""
    first = held.get("self")
    if len(parents) != 2 or parents[0] is parents[1] or not any(first is parent for parent in parents):
        return None
    return [first, *(parent for parent in parents if parent is not first)]


def _locals(held: dict[str, object], parents: Sequence[object]) -> list[Parent]:
    """Return pairs of parent and local derivative that a function keeps in a list; none if it keeps no such list."""
    for content in held.values():
        pairs: list[Parent] = []
        for item in content if type(content) in (list, tuple) else ():  # type: ignore[attr-defined]
            pair = _pair(item, parents)
            if pair is None:
                break
            pairs.append(pair)
        else:
            if pairs:
                return pairs
    return []


def _pair(item: Any, parents: Sequence[object]) -> Parent | None:
    is_pair = type(item) in (list, tuple) and len(item) == 2 and type(item[1]) in (int, float)
    return (item[0], item[1]) if is_pair and any(item[0] is parent for parent in parents) else None
