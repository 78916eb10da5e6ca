"""Finding the parents of a scalar engine's node, whatever the attribute is called.

Only storage is read (`__dict__`, slots), never `__getattr__`, `__eq__` or `__hash__`, because an unfinished engine
may have these wrong. Nodes are compared by identity.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from autograder.pictures.text import number

Parent = tuple[object, object]  # a node, and the local derivative stored with it, or None

_CONTAINERS = (tuple, list, set, frozenset, deque)
_ELSEWHERE = ("builtins", "abc", "typing", "collections.abc")
_DEPTH = 4
_MOST = 10_000  # entries that are read from one attribute
DIRECT = "(direct)"  # stands for all attributes that hold one parent each, such as left and right


def stored(node: object) -> dict[str, object]:
    """Return an object's stored attributes by name, without running any of its code."""
    found: dict[str, object] = {}
    for name, slot in _slots(type(node)):  # type: ignore[arg-type]  # mypy takes classes for unhashable
        try:
            found.setdefault(name, slot.__get__(node))
        except AttributeError:
            continue  # not set yet
    try:
        own = object.__getattribute__(node, "__dict__")
    except Exception:
        own = None
    return found | own if type(own) is dict else found


@lru_cache(maxsize=64)
def _slots(cls: type) -> list[tuple[str, types.MemberDescriptorType]]:
    return [
        (name, member)
        for base in type.__getattribute__(cls, "__mro__")
        for name, member in type.__getattribute__(base, "__dict__").items()
        if isinstance(member, types.MemberDescriptorType)
    ]


def family(node: object) -> set[type]:
    """Return a node's classes, by which `belongs` recognises other nodes of the same engine."""
    classes = type.__getattribute__(type(node), "__mro__")
    return {cls for cls in classes if type.__getattribute__(cls, "__module__") not in _ELSEWHERE}


def belongs(thing: object, classes: set[type]) -> bool:
    """Return whether an object is a node of the engine with these classes."""
    return any(cls in classes for cls in type.__getattribute__(type(thing), "__mro__"))


def candidates(node: object, classes: set[type]) -> dict[str, list[Parent]]:
    """Return the nodes in each attribute, in order, by the attribute's name.

    An attribute that holds the node itself does not list parents: some engines store the sorted graph.
    """
    found: dict[str, list[Parent]] = {}
    for name, content in stored(node).items():
        if belongs(content, classes):
            if content is not node:
                found.setdefault(DIRECT, []).append((content, None))
            continue
        parents = list(_entries(content, classes))
        if parents and all(parent is not node for parent, _ in parents):
            found[name] = parents
    return found


def _entries(content: object, classes: set[type]) -> Iterator[Parent]:
    queue: deque[tuple[object, int]] = deque([(content, 0)])
    read = 0
    while queue and read < _MOST:
        read += 1
        thing, depth = queue.popleft()
        if belongs(thing, classes):
            yield thing, None
            continue
        items = _items(thing)
        pair = _pair(items, classes) if depth else None
        if pair:
            yield pair
        elif depth < _DEPTH:
            # To the front, so that nested containers keep the order in which they were written.
            queue.extendleft((item, depth + 1) for item in reversed(items[:_MOST]))


def _items(thing: Any) -> list[object]:
    """Return a container's items, read by the built-in type's methods, which a subclass may have overridden."""
    if issubclass(type(thing), dict):
        return list(dict.values(thing))
    for kind in _CONTAINERS:
        if issubclass(type(thing), kind):
            items: list[object] = list(kind.__iter__(thing))
            # A set's order follows memory addresses, which change from run to run; labels and data do not.
            return sorted(items, key=_number) if kind in (set, frozenset) else items
    return []


def _pair(items: list[object], classes: set[type]) -> Parent | None:
    """Return a (parent, local derivative) pair that is stored in either order; None for anything else."""
    if len(items) == 2:
        for parent, local in (items, reversed(items)):
            if belongs(parent, classes) and type(local) in (int, float):
                return parent, local
    return None


def _number(node: object) -> tuple[str, str]:
    own = stored(node)
    return number(own.get("label")), number(own.get("data"))
