"""Walk through a submission's folder by descriptor, without recursion and within limits."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import operator
import os
from collections.abc import Callable, Iterator

from autograder.notebooks.opening import RefusedFileError, opened_folder

DEEPEST = 30
"""Depth of nested folders to which a walk descends."""
MOST_ENTRIES = 10_000
"""Directory entries that a walk visits."""


class _Kind(enum.Enum):
    """What a directory entry is."""

    FOLDER = enum.auto()
    FILE = enum.auto()
    LINK = enum.auto()
    SPECIAL = enum.auto()


REFUSED = {_Kind.LINK: "a link", _Kind.SPECIAL: "not an ordinary file"}
"""Why entries of a kind must not be read."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """A file that a walk found, or a folder that it could not enter.

    Attributes:
        parts: its path relative to the start of the walk.
        folder: the descriptor of its folder; open until the walk is advanced, and -1 if that could not be opened.
        why: why it must not be read; None for a file to try.
    """

    parts: tuple[str, ...]
    folder: int
    why: str | None

    @property
    def name(self) -> str:
        """The entry's own name, the last part of its path."""
        return self.parts[-1]


def walk(top: int, skipped: Callable[[str], bool] = lambda name: False, most: int | None = None) -> Iterator[Entry]:
    """Yield what is in a folder and the folders below it, in sorted order.

    Args:
        top: the folder's descriptor.
        skipped: whether to pass over a file or folder of this name.
        most: directory entries to visit; `MOST_ENTRIES` by default, which is enough for one submission.
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
                    if kind is not _Kind.FOLDER:
                        yield Entry((*above, name), folder, REFUSED.get(kind))
                    elif len(above) == DEEPEST:
                        yield Entry((*above, name), folder, "a folder inside too many others")
                    else:
                        folders.append((*above, name))
                if len(names) > left:
                    yield Entry((*above, "..."), folder, f"what comes after {most} other names")
                    return
        except (RefusedFileError, OSError) as error:  # the folder changed after it was listed
            yield Entry(above or ("",), -1, str(error) if isinstance(error, RefusedFileError) else "not readable")
            continue
        left -= len(names)
        waiting += reversed(folders)


def _listed(folder: int, most: int) -> list[tuple[str, _Kind]]:
    """List names and kinds of a folder's entries, sorted by name."""
    with os.scandir(folder) as entries:
        found = [(entry.name, _kind(entry)) for entry in itertools.islice(entries, most)]
    return sorted(found, key=operator.itemgetter(0))


def _kind(entry: os.DirEntry[str]) -> _Kind:
    if entry.is_symlink():
        return _Kind.LINK
    if entry.is_dir(follow_symlinks=False):
        return _Kind.FOLDER
    return _Kind.FILE if entry.is_file(follow_symlinks=False) else _Kind.SPECIAL
