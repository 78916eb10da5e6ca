"""Replace an attribute for the length of a block."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

_ABSENT = object()


@contextlib.contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Give a module, class or object another attribute within the block, then restore its own or the inherited one.

    Args:
        owner: the module, class or object.
        name: the attribute.
        value: its value within the block.
    """
    before = vars(owner).get(name, _ABSENT)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if before is _ABSENT:
            delattr(owner, name)
        else:
            setattr(owner, name, before)
