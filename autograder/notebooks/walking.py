"""List what a submission's folder holds: by descriptors, without recursion, and never without end."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Callable, Iterator

from autograder.notebooks.opening import RefusedFileError, opened_folder

DEEPEST = 30
"""Folders inside each other that a walk goes down."""
MOST_ENTRIES = 10_000
"""Names that a walk looks at."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """What a walk found.

    Attributes:
        parts: its path below the walk's start.
        folder: the descriptor of the folder it stands in; open until the walk goes on.
        why: why it is not to be read; None for a file that can be tried.
    """

    parts: tuple[str, ...]
    folder: int
    why: str | None

    @property
    def name(self) -> str:
        """Its name in that folder."""
        return self.parts[-1]


def walk(top: int, skipped: Callable[[str], bool] = lambda name: False, most: int | None = None) -> Iterator[Entry]:
    """What a folder holds, folder by folder and in order, without recursion and never without end.

    Args:
        top: the folder's descriptor.
        skipped: says of a name that it is passed over, with all below it.
        most: names to look at; MOST_ENTRIES, which is enough for one submission, where left out.
    """
    waiting: list[tuple[str, ...]] = [()]
    left = most = MOST_ENTRIES if most is None else most
    while waiting:
        above = waiting.pop()
        try:
            with opened_folder(top, above) as folder:
                names, folders = _listed(folder, left + 1), []
                for name, kind in names[:left]:
                    if skipped(name):
                        continue
                    if kind != "folder":
                        yield Entry((*above, name), folder, {"file": None}.get(kind, kind))
                    elif len(above) == DEEPEST:
                        yield Entry((*above, name), folder, "a folder inside too many others")
                    else:
                        folders.append((*above, name))
                if len(names) > left:
                    yield Entry((*above, "..."), folder, f"what comes after {most} other names")
                    return
        except (RefusedFileError, OSError) as error:  # of a folder that was there a moment ago
            yield Entry(above or ("",), -1, str(error) if isinstance(error, RefusedFileError) else "not readable")
            continue
        left -= len(names)
        waiting += reversed(folders)


def _listed(folder: int, most: int) -> list[tuple[str, str]]:
    """Names and kinds of what stands in a folder, in order."""
    with os.scandir(folder) as entries:
        return sorted((entry.name, _kind(entry)) for entry in itertools.islice(entries, most))


def _kind(entry: os.DirEntry) -> str:
    if entry.is_symlink():
        return "a link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "not an ordinary file"
