"""The concepts that a task practises, as its declaration names them."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.tasks.tables import TaskFolderError

LONGEST = 40


def named_concepts(given: Sequence[str], file: str) -> tuple[str, ...]:
    """Return a task's concepts; which words a course uses is its own affair.

    Args:
        given: what the task declares.
        file: its `task.py`, for the message.

    Raises:
        TaskFolderError: if that is not a sequence of different short names.
    """
    names: list[str] = [*given] if isinstance(given, list | tuple) else []
    good = all(isinstance(one, str) and one and one == one.strip() and len(one) <= LONGEST for one in names)
    if not isinstance(given, list | tuple) or not good or len({*names}) < len(names):
        raise TaskFolderError(f'{file}: concepts= takes different names, as in ("hooks", "aliasing"), not {given!r}')
    return tuple(names)
