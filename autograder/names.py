"""Messages about names that do not exist, with the nearest name that does."""

from __future__ import annotations

import difflib
from collections.abc import Collection

LONGEST = 40


def with_nearest(asked: str, known: Collection[str]) -> str:
    """Quote a name that does not exist, and add the nearest one that does.

    Args:
        asked: the name that was given.
        known: the names that exist.
    """
    shown = repr(asked if len(asked) <= LONGEST else asked[:LONGEST] + "...")
    near = difflib.get_close_matches(asked[: 2 * LONGEST], sorted(known), n=1)
    return f"{shown} (did you mean {near[0]!r}?)" if near else shown


def completed(asked: str, known: Collection[str]) -> str:
    """Return the only name that begins as asked; what was asked if it is a name itself, or if none or several do.

    Args:
        asked: a name, or how it begins.
        known: the names that exist.
    """
    begun = [name for name in known if asked and name.startswith(asked)]
    return begun[0] if len(begun) == 1 and asked not in known else asked


def no_such_task(asked: object, known: Collection[str]) -> str:
    """Return a sentence that says that a task does not exist, with the nearest name if there is one.

    Args:
        asked: the object that was given as a task's name, which need not be text.
        known: the names that exist.
    """
    if not isinstance(asked, str):
        name = getattr(asked, "__name__", None)  # for instance the function itself instead of its name
        example = name if isinstance(name, str) and name in known else next(iter(known), "double")
        return f'A task is given by its name, as text in quotes: "{example}". The heading of the task gives it.'
    shown = repr(asked if len(asked) <= LONGEST else asked[:LONGEST] + "...")
    near = difflib.get_close_matches(asked[: 2 * LONGEST], known, n=1)
    if near:
        return f"There is no task {shown}; did you mean {near[0]!r}?"
    return (
        f"There is no task {shown} in the course as it is installed here: the task's heading gives its name, and "
        "a notebook of another version of the course belongs to that version. check() lists the tasks."
    )
