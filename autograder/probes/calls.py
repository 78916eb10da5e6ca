"""Probes that call a student's function and observe its result and the calls it makes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from autograder.probes.registry import find, probe
from autograder.replacing import replaced


@probe
def call(namespace: dict[str, Any], target: str, arguments: list[Any]) -> dict[str, Any]:
    """Call `target` twice with the same arguments.

    Returns:
        `result`, and the second call's result as `again`.
    """
    function = find(namespace, target)
    result = function(*arguments)
    return {"result": result, "again": function(*arguments)}


@probe
def call_recording(namespace: dict[str, Any], target: str, arguments: list[Any]) -> dict[str, Any]:
    """Call `target` twice and record each point at which the first call evaluates its first argument, a function.

    Returns:
        `result`, the second call's result as `again`, and `points`: copies of the function's arguments, in order.
    """
    inner, *rest = arguments
    points = []

    def recording(point: Any) -> Any:
        points.append(point.detach().clone() if hasattr(point, "detach") else point)
        return inner(point)

    function = find(namespace, target)
    result = function(recording, *rest)
    return {"result": result, "again": function(inner, *rest), "points": points}


@probe
def call_counting(namespace: dict[str, Any], target: str, arguments: list[Any], method: str) -> dict[str, Any]:
    """Call `target` twice and count the calls of the notebook's `method` ("Class.name") during the first.

    Returns:
        `result`, the second call's result as `again`, and `count`.
    """
    class_name, name = method.split(".")
    function = find(namespace, target)
    with _counted(find(namespace, class_name), name) as counts:
        result = function(*arguments)
    return {"result": result, "again": function(*arguments), "count": len(counts)}


@contextlib.contextmanager
def _counted(owner: type, name: str) -> Iterator[list[None]]:
    """Within the block, record each call of a method; a class without the method is left alone."""
    counts: list[None] = []
    original = getattr(owner, name, None)
    if original is None:
        yield counts
        return

    def counting(*args: Any, **kwargs: Any) -> Any:
        counts.append(None)
        return original(*args, **kwargs)

    with replaced(owner, name, counting):
        yield counts
