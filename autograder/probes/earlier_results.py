"""Lists and dicts that a definition keeps, as a mutable default or a global name does, and fills again in each call.

Whoever still holds what an earlier call returned finds other items in it. The same arguments give the same items, so
that no comparison shows it; a list that was emptied and is full again does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class EarlierResults:
    """The lists and dicts that the calls of one question returned."""

    def __init__(self) -> None:
        self._returned: dict[int, Any] = {}

    def refilled(self, result: Any, handed: Any, again: Callable[[], Any]) -> bool:
        """Take a call's result, and return whether the call filled what an earlier one returned.

        Args:
            result: what the call returned.
            handed: what it was handed, which it may return.
            again: makes the same call again; called only if the result has a list or dict of an earlier one.
        """
        own = {id(one) for one in _containers(handed)}
        found = [one for one in _containers(result) if id(one) not in own]
        kept = [one for one in found if id(one) in self._returned]
        self._returned |= {id(one): one for one in found}
        return any(_is_refilled(one, again) for one in kept)


def _is_refilled(kept: Any, again: Callable[[], Any]) -> bool:
    """Empty a list or dict, call again, and put its items back; a cache that only hands it out leaves it empty."""
    own = dict if isinstance(kept, dict) else list
    items = own(kept)
    own.clear(kept)
    try:
        again()
        return len(own(kept)) > 0
    except Exception:
        return False
    finally:
        own.clear(kept)
        dict.update(kept, items) if isinstance(kept, dict) else list.extend(kept, items)


def _containers(value: Any) -> list[Any]:
    """List the lists and dicts in a value, itself included, each once."""
    found: dict[int, Any] = {}
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list | dict | tuple) and id(one) not in found:
            found[id(one)] = one
            waiting += dict.values(one) if isinstance(one, dict) else one
    return [one for one in found.values() if not isinstance(one, tuple)]
