"""Call a student's function and observe what it returns, what it does to its arguments, what it calls."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from autograder.probes.answering import find, probe


@probe
def call(namespace: dict, target: str, arguments: list) -> dict:
    """Call `target` twice with the same arguments.

    Returns:
        `result`, the result of the second call as `again`, and `arguments` as they are afterwards.
    """
    function = find(namespace, target)
    result = function(*arguments)
    return {"result": result, "again": function(*arguments), "arguments": arguments}


@probe
def call_recording(namespace: dict, target: str, arguments: list) -> dict:
    """Call `target` once; its first argument is a function whose every argument is recorded.

    Returns:
        `result`, `arguments` (without the function) afterwards, and `points`: copies of what the function
        was called with, in order.
    """
    inner, *rest = arguments
    points = []

    def recording(point: Any) -> Any:
        points.append(point.detach().clone() if hasattr(point, "detach") else point)
        return inner(point)

    result = find(namespace, target)(recording, *rest)
    return {"result": result, "arguments": rest, "points": points}


@probe
def call_counting(namespace: dict, target: str, arguments: list, method: str) -> dict:
    """Call `target` once and count how often `method` ("Class.name") of the notebook runs meanwhile.

    Returns:
        `result`, `arguments` afterwards, and `count`.
    """
    class_name, name = method.split(".")
    with _counted(find(namespace, class_name), name) as counts:
        result = find(namespace, target)(*arguments)
    return {"result": result, "arguments": arguments, "count": len(counts)}


@contextlib.contextmanager
def _counted(owner: type, name: str) -> Iterator[list[None]]:
    """Replace a method by one that notes each call and then does what it did; put it back afterwards."""
    counts: list[None] = []
    original = getattr(owner, name, None)
    if original is None:
        yield counts
        return
    own = name in vars(owner)

    def counting(*args: Any, **kwargs: Any) -> Any:
        counts.append(None)
        return original(*args, **kwargs)

    setattr(owner, name, counting)
    try:
        yield counts
    finally:
        if own:
            setattr(owner, name, original)
        else:
            delattr(owner, name)
