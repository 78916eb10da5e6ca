"""General mistakes about what is stored and what is attached to the graph: None, retain_grad, `.grad`, detach.

They read what a program showed: the keys are expressions such as "x.grad" or "result.requires_grad".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from autograder.diagnosis.hypothesis import CONFIRMED

Shown = dict[str, Any]
"""What a program showed: the values of its expressions."""


def _confirmed(holds: Callable[[Shown, Shown], bool]) -> Callable[[Any, Any], Any]:
    """Make a change that is CONFIRMED if there are wrong observations and `holds(expected, got)` is true of them."""

    def change(expected: Any, got: Any) -> Any:
        both = isinstance(expected, dict) and isinstance(got, dict) and bool(expected)
        return CONFIRMED if both and holds(expected, got) else None

    return change


def _every(pattern: str, holds: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    """Make a change that is CONFIRMED if every wrong expression matches the pattern and `holds(expected, got)`."""
    return _confirmed(
        lambda expected, got: all(
            re.fullmatch(pattern, str(key)) and holds(value, got.get(key)) for key, value in expected.items()
        )
    )


def _missing_and_retaining(value: bool) -> Callable[[Shown, Shown], bool]:
    """Make a test of whether gradients are missing, and all tensors that lack one show this `retains_grad`."""

    def holds(expected: Shown, got: Shown) -> bool:
        names = (re.fullmatch(r"(.+)\.grad", str(key)) for key, right in expected.items() if right is not None)
        missing = [match[1] for match in names if match and got.get(match[0]) is None]
        flags = [got[key] for name in missing if (key := f"{name}.retains_grad") in got]
        return bool(flags) and all(flag is value for flag in flags)  # a student's object may show anything there

    return holds


retained_too_late = _confirmed(_missing_and_retaining(True))
never_retained = _confirmed(_missing_and_retaining(False))
attached = _every(r".*requires_grad", lambda right, seen: right is False and seen is True)
detached = _every(r".*requires_grad", lambda right, seen: right is True and seen is False)


def none_instead(expected: Any, got: Any) -> Any:
    """Return CONFIRMED if None stands where a tensor, a number or a sequence is expected."""
    return CONFIRMED if _has_none(expected, got) else None


def _has_none(expected: Any, got: Any) -> bool:
    if expected is None or isinstance(expected, bool | str):
        return False
    if got is None:
        return True
    if isinstance(expected, dict) and isinstance(got, dict):
        return any(key in got and _has_none(value, got[key]) for key, value in expected.items())
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple) and len(expected) == len(got):
        return any(_has_none(one, other) for one, other in zip(expected, got, strict=True))
    return False
