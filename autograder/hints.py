"""Hints in three steps; the next one only after the one before."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

from autograder.names import no_such_task

FOLDER = Path(__file__).with_name("hints")
STEPS = ("question", "pointer", "almost")
_given: dict[str, int] = {}


@functools.cache
def all_hints() -> dict[str, tuple[str, str, str]]:
    """The three hints of every task of every exercise."""
    hints: dict[str, tuple[str, str, str]] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for task, steps in tomllib.loads(path.read_text(encoding="utf-8")).items():
            hints[task] = tuple(steps[step] for step in STEPS)
    return hints


def next_hint(task: str) -> str:
    """The next hint that this session has not yet given for the task; the last one again after that.

    Raises:
        LookupError: for a task that does not exist; the message is a sentence for the student.
    """
    if not isinstance(task, str) or task not in all_hints():
        raise LookupError(no_such_task(task, all_hints()))
    hints = all_hints()[task]
    step = min(_given.get(task, 0), len(STEPS) - 1)
    _given[task] = step + 1
    more = f" hint({task!r}) again gives the next." if step < len(STEPS) - 1 else ""
    return f"Hint {step + 1} of {len(STEPS)} for {task}: {hints[step]}{more}"
