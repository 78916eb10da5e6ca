"""Changes to JSON that leave it JSON: byte by byte, a fuzzer would mostly find broken brackets."""

from __future__ import annotations

import copy
import random
from typing import Any

ODD: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**30, 1.5, -0.0, float("nan"), float("inf"), "", "x",
    "\ud800", "\x00", "\u202e", "code", "markdown", "raw", "check_partials", "partials", "nbgrader", [], {}, [[]],
    [None], {"": {}}, "a" * 70, "<script>x</script>", "[x](javascript:x)", "list", "tensor", "dict", "float32", "cpu",
]  # fmt: skip
DEEP = (20, 98, 120, 400, 700)


def mutate(tree: Any, chance: random.Random) -> Any:
    """The tree with one to three changes; the original stays as it was."""
    tree = [copy.deepcopy(tree)]
    for _ in range(chance.choice((1, 1, 2, 3))):
        places = _places(tree)
        holder, key = chance.choice(places)
        _change(holder, key, places, chance)
    return tree[0]


def _places(tree: list) -> list[tuple[Any, Any]]:
    """Each value as (what holds it, its key there)."""
    found: list[tuple[Any, Any]] = []
    holders: list[Any] = [tree]
    for holder in holders:
        keys = holder if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                holders.append(holder[key])
    return found


def _has(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else key < len(holder)


def _change(holder: Any, key: Any, places: list, chance: random.Random) -> None:
    if not _has(holder, key):
        return  # an earlier change took it away
    kind, value = chance.randrange(7), holder[key]
    if kind == 0 and holder is not places[0][0]:
        del holder[key]
    elif kind == 1:
        holder[key] = copy.deepcopy(chance.choice(ODD))
    elif kind == 2:
        other, there = chance.choice(places)
        holder[key] = copy.deepcopy(other[there] if _has(other, there) else None)
    elif kind == 3 and isinstance(value, list):
        value.insert(chance.randint(0, len(value)), copy.deepcopy(chance.choice(value) if value else None))
    elif kind == 4 and isinstance(value, dict):
        value[str(chance.choice(ODD))] = copy.deepcopy(chance.choice(ODD))
    elif kind == 5 and chance.random() < 0.2:
        holder[key] = _nested(value, chance.choice(DEEP), chance.random() < 0.5)
    elif isinstance(value, str):
        at = chance.randint(0, len(value))
        holder[key] = value[:at] + str(chance.choice(ODD)) + value[at + chance.randint(0, 3) :]
    elif isinstance(value, int | float):
        holder[key] = value + chance.choice((-1, 1, 4, 8))


def _nested(value: Any, depth: int, in_lists: bool) -> Any:
    for _ in range(depth):
        value = [value] if in_lists else {"x": value}
    return value
