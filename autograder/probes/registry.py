"""Register probes by name, and look up names in a student's namespace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PROBES: dict[str, Callable[..., Any]] = {}
PROGRAM_FILE = "<program>"
"""The file name that a program's code objects have."""


class MissingNameError(Exception):
    """The notebook does not define a name that a probe needs."""


def probe(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a probe under its function's name. Its first argument is the student's namespace."""
    PROBES[function.__name__] = function
    return function


def find(namespace: dict[str, Any], target: str) -> Any:
    """Return the student's object of a name.

    Raises:
        MissingNameError: if the notebook does not define it.
    """
    try:
        return namespace[target]
    except KeyError:
        raise MissingNameError(target) from None
