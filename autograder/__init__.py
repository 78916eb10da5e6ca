"""A course on gradients in PyTorch, and its autograder.

A notebook imports `check`, `hint`, `about`, `practice`, `progress`, `predict`, `review`, `draw`, `step_through`,
`figure` and `counters` from here, and whoever writes gradients of their own `explain_gradient` and `assert_gradient`.
Each is loaded on first use, so that `import autograder` is fast and loads neither torch nor pytest.
"""

from __future__ import annotations

import functools
import importlib
import os
from typing import Any

from autograder.surroundings import at_desk, check_package, check_python, loading
from autograder.tracebacks import shorten_in_ipython

check_python()

_HOMES = {
    "about": "autograder.own_answers",
    "practice": "autograder.practising",
    "check": "autograder.notebook",
    "hint": "autograder.notebook",
    "my_versions": "autograder.notebook",
    "progress": "autograder.notebook",
    "predict": "autograder.lesson_predictions",
    "review": "autograder.lesson_predictions",
    "draw": "autograder.pictures",
    "step_through": "autograder.stepping",
    "figure": "autograder.pictures.figure",
    "counters": "autograder.probes",
    "explain_gradient": "autograder.own_gradients",
    "assert_gradient": "autograder.own_gradients",
}

AT_DESK = frozenset({"about", "practice", "predict", "review", "step_through"})
"""What helps a student at the desk and shows nothing where a notebook is graded, so that a sandbox holds none of it."""

__all__ = [
    "about",
    "assert_gradient",
    "check",
    "counters",
    "draw",
    "explain_gradient",
    "figure",
    "hint",
    "my_versions",
    "practice",
    "predict",
    "progress",
    "review",
    "step_through",
]


def __getattr__(name: str) -> Any:
    shorten_in_ipython()
    # A sandbox can read neither of these, and runs its notebook from a clean kernel.
    if not os.environ.get("AUTOGRADER_SANDBOX"):
        check_package()
        importlib.import_module("autograder.executions").start()
    if name not in _HOMES:
        raise AttributeError(f"module 'autograder' has no attribute {name!r}")
    if name in AT_DESK and os.environ.get("AUTOGRADER_SANDBOX"):
        return functools.partial(_silent, name)
    with loading():
        return getattr(importlib.import_module(_HOMES[name]), name)


def _silent(name: str, *_: object, **__: object) -> None:
    at_desk(name)
