"""Put a notebook back as it was: its names, its containers, the attributes of its classes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

MOST_ENTRIES = 10_000
CONTAINERS = (list, dict, set)


@contextlib.contextmanager
def restored(namespace: dict[str, Any]) -> Iterator[None]:
    """Undo, when the block ends, what it bound, and what it put into global containers and class attributes.

    Args:
        namespace: the notebook's global names.
    """
    names = dict(namespace)
    containers = [
        (value, value.copy())
        for value in names.values()
        if type(value) in CONTAINERS and len(value) <= MOST_ENTRIES and value is not namespace
    ]
    classes = [
        (value, dict(vars(value)))
        for value in names.values()
        if issubclass(type(value), type) and value.__module__ == namespace.get("__name__")
    ]
    try:
        yield
    finally:
        for name in [name for name in namespace if name not in names]:
            del namespace[name]
        for name, value in names.items():
            if name not in namespace or namespace[name] is not value:
                namespace[name] = value
        for container, before in containers:
            _refill(container, before)
        for owner, attributes in classes:
            _reset(owner, attributes)


def _refill(container: Any, before: Any) -> None:
    if isinstance(container, list):
        container[:] = before
    else:
        container.clear()
        container.update(before)


def _reset(owner: type, attributes: dict[str, Any]) -> None:
    for name in [name for name in vars(owner) if name not in attributes]:
        with contextlib.suppress(AttributeError, TypeError):  # one that Python keeps for itself
            delattr(owner, name)
    for name, value in attributes.items():
        if vars(owner).get(name, owner) is not value:
            with contextlib.suppress(AttributeError, TypeError):
                setattr(owner, name, value)
