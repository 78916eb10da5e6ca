"""Give a task's three hints one after another."""

from __future__ import annotations

from autograder.names import no_such_task
from autograder.tasks.folders import task_folders
from autograder.tasks.tables import read_table

STEPS = ("question", "pointer", "almost")
_given: dict[str, int] = {}


def hints_of(task: str) -> tuple[str, str, str]:
    """Return the three hints of a task.

    Raises:
        LookupError: if the task does not exist; the message is a sentence for the student.
        TaskFolderError: if its `hints.toml` cannot be used.
    """
    folders = task_folders()
    if not isinstance(task, str) or task not in folders:
        raise LookupError(no_such_task(task, folders))
    given = read_table(folders[task] / "hints.toml", dict.fromkeys(STEPS, str))
    return given["question"], given["pointer"], given["almost"]


def next_hint(task: str) -> str:
    """Return the next hint for a task in this session; after the last, the last again.

    Raises:
        LookupError: if the task does not exist; the message is a sentence for the student.
    """
    hints = hints_of(task)
    step = min(_given.get(task, 0), len(STEPS) - 1)
    _given[task] = step + 1
    more = f" hint({task!r}) again gives the next." if step < len(STEPS) - 1 else ""
    return f"Hint {step + 1} of {len(STEPS)} for {task}: {hints[step]}{more}"
