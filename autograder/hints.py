"""Give a task's three hints one after another."""

from __future__ import annotations

import functools
from pathlib import Path

from autograder.names import no_such_task
from autograder.tasks.folders import task_folders
from autograder.tasks.tables import read_table
from autograder.tasks.versions import folder_of, of_label

STEPS = ("question", "pointer", "almost")
_given: dict[object, int] = {}


def hints_of(task: object) -> tuple[str, str, str]:
    """Return the three hints of a task, by its name or label.

    Raises:
        LookupError: if the task does not exist; the message is a sentence for the student.
        TaskFolderError: if its `hints.toml` cannot be used.
    """
    folders = task_folders()
    name, version = of_label(task) if isinstance(task, str) else ("", 0)
    if name not in folders:
        raise LookupError(no_such_task(task, folders))
    file = folder_of(folders[name], version) / "hints.toml"
    return _read(file, file.stat().st_mtime_ns if file.exists() else 0)


@functools.lru_cache(maxsize=256)
def _read(file: Path, changed: int) -> tuple[str, str, str]:
    """Read a file once for each version of it, because every card of a class holds its task's hints."""
    given = read_table(file, dict.fromkeys(STEPS, str))
    return given["question"], given["pointer"], given["almost"]


def next_hint(task: object) -> str:
    """Return the next hint for a task in this session; after the last, the last again.

    Raises:
        LookupError: if the task does not exist; the message is a sentence for the student.
    """
    hints = hints_of(task)
    step = min(_given.get(task, 0), len(STEPS) - 1)
    _given[task] = step + 1
    name = of_label(str(task))[0]
    more = f" hint({name!r}) again gives the next." if step < len(STEPS) - 1 else ""
    return f"Hint {step + 1} of {len(STEPS)} for {name}: {hints[step]}{more}"
