"""Keep which versions of tasks the notebook in this process holds, as its setup cell says."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.names import no_such_task
from autograder.tasks.folders import task_folders
from autograder.tasks.versions import folder_of, label

_own: dict[str, int] = {}


def note_versions(versions: Mapping[str, object]) -> None:
    """Keep the versions of tasks that a notebook names.

    Raises:
        LookupError: if there is no such task or version; nothing is kept then.
    """
    folders, found = task_folders(), dict[str, int]()
    for task, version in versions.items():
        if task not in folders:
            raise LookupError(no_such_task(task, folders))
        if type(version) is not int or version < 1:
            raise LookupError(f"A version is a number from 1, so {task}={version!r} names none.")
        folder_of(folders[task], version)
        found[task] = version
    _own.update(found)


def own_label(task: object) -> object:
    """Return the label of a task in the version that this notebook holds; anything else as it was given."""
    return label(task, _own[task]) if isinstance(task, str) and task in _own else task
