"""Finding the parents of a node of somebody's scalar engine, whatever the attribute is called.

Only storage is read (`__dict__`, slots), never `__getattr__`, `__eq__` or `__hash__`: an engine in the
making may have these wrong. Nodes are told apart by identity.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator
from functools import lru_cache

from autograder.pictures.text import number

Parent = tuple[object, object]  # a node, and the local derivative stored with it or None

_CONTAINERS = (tuple, list, set, frozenset, deque)
_ELSEWHERE = ("builtins", "abc", "typing", "collections.abc")
_DEPTH = 4
_MOST = 10_000  # entries read of one attribute
DIRECT = "(direct)"  # attributes that hold one parent each, such as left and right, count as one


def stored(node: object) -> dict[str, object]:
    """Return what an object stores under which name, without running any of its code."""
    found: dict[str, object] = {}
    for name, slot in _slots(type(node)):
        try:
            found.setdefault(name, slot.__get__(node))
        except AttributeError:
            continue  # not filled yet
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
    """Return the classes that make another object a node of the same engine."""
    classes = type.__getattribute__(type(node), "__mro__")
    return {cls for cls in classes if type.__getattribute__(cls, "__module__") not in _ELSEWHERE}


def belongs(thing: object, classes: set[type]) -> bool:
    """Whether an object is a node of the engine with these classes."""
    return any(cls in classes for cls in type.__getattribute__(type(thing), "__mro__"))


def candidates(node: object, classes: set[type]) -> dict[str, list[Parent]]:
    """Return for each attribute the nodes in it, in order; attributes without nodes are left out.

    An attribute that holds the node itself is no list of parents: some engines keep the sorted graph.
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
    ahead: deque[tuple[object, int]] = deque([(content, 0)])
    read = 0
    while ahead and read < _MOST:
        read += 1
        thing, depth = ahead.popleft()
        if belongs(thing, classes):
            yield thing, None
            continue
        items = _items(thing)
        pair = _pair(items, classes) if depth else None
        if pair:
            yield pair
        elif depth < _DEPTH:
            # To the front, so that nested containers keep the order in which they are written.
            ahead.extendleft((item, depth + 1) for item in reversed(items[:_MOST]))


def _items(thing: object) -> list[object]:
    """Contents of a container, read by the built-in type and not by what a subclass made of it."""
    if issubclass(type(thing), dict):
        return list(dict.values(thing))  # type: ignore[arg-type]
    for kind in _CONTAINERS:
        if issubclass(type(thing), kind):
            items = list(kind.__iter__(thing))  # type: ignore[arg-type]
            # A set's order is that of addresses, new in each run; by their numbers it repeats.
            return sorted(items, key=_number) if kind in (set, frozenset) else items
    return []


def _pair(items: list[object], classes: set[type]) -> Parent | None:
    """Recognise (parent, local derivative), in either order."""
    if len(items) == 2:
        for parent, local in (items, reversed(items)):
            if belongs(parent, classes) and type(local) in (int, float):
                return parent, local
    return None


def _number(node: object) -> tuple[str, str]:
    own = stored(node)
    return number(own.get("label")), number(own.get("data"))
