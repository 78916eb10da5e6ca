"""Decide which files of a submission may be read and copied: regular ones of types that no browser or tool runs."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path

from autograder.notebooks.opening import RefusedFileError, UnavailableFileError, copy_file, opened_file, read_file
from autograder.notebooks.reading import LARGEST_FILE, UnavailableNotebookError, UnreadableNotebookError
from autograder.notebooks.walking import Entry, walk
from autograder.times import NotATimeError, parse
from autograder.visible_text import visible

STUDENT = re.compile(r"\w[\w.@+, -]*")
"""A student id that is safe as a folder's name: no path, no HTML, not hidden."""
KEPT = ("txt", "md", "csv", "tsv", "json", "npy", "npz", "png", "jpg", "jpeg", "gif", "webp")
"""Suffixes of the files that are copied with notebooks. HTML and SVG would run in the formgrader; a Python module could
be called `ipykernel_launcher`, which `python -m` finds first when JupyterLab starts a kernel in that folder."""
CONFIGURATION = re.compile(r"(nbgrader|jupyter|ipython).*config|conftest|sitecustomize|usercustomize", re.IGNORECASE)
MOST_FILES = 200
MOST_NAMED = 20
LONGEST_NAME = 100
TIMESTAMP = "timestamp.txt"
LONGEST_TIMESTAMP = 200  # bytes
TO_DO = "put a copy of its folder in its place that you may read, and grade again"
NO_TIMESTAMP = f"it brings no {TIMESTAMP}"


@dataclasses.dataclass(frozen=True)
class LeftOut:
    """A file of a submission that is neither read nor copied.

    Attributes:
        path: relative to the submission's folder.
        why: for example "a link".
        unavailable: whether it cannot be read here, and somebody else may be able to.
    """

    path: Path
    why: str
    unavailable: bool = False

    def __str__(self) -> str:
        return f"{visible(str(self.path), kept='')[:LONGEST_NAME]} ({self.why})"


def notebooks_in(folder: Path) -> list[str] | None:
    """List the names of the notebooks in a submission's folder, in order; None if nobody may look into it here."""
    try:
        found = [Path(name) for name in sorted(os.listdir(folder))]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        return None
    return [path.stem for path in found if path.suffix == ".ipynb"]


def notebook_bytes(submitted: Path, parts: tuple[str, ...]) -> bytes:
    """Read the bytes of a submitted notebook.

    Args:
        submitted: the folder of all submissions; no link below it is followed.
        parts: the notebook's path below it.

    Raises:
        UnreadableNotebookError: if it is not a regular file, or too large.
        UnavailableNotebookError: if it cannot be read here, or a second file shares its content.
    """
    try:
        raw = read_file(submitted, parts, LARGEST_FILE)
    except UnavailableFileError as error:
        raise UnavailableNotebookError(f"{'/'.join(parts)} is {error}: {TO_DO}") from None
    except RefusedFileError as error:
        raise UnreadableNotebookError(f"The submitted notebook is {error}. Hand in the notebook itself.") from None
    except OSError as error:
        raise UnavailableNotebookError(f"{'/'.join(parts)} cannot be read ({error.strerror}): {TO_DO}") from None
    if len(raw) > LARGEST_FILE:
        raise UnreadableNotebookError(f"The file is larger than {LARGEST_FILE >> 20} MB.")
    return raw


@dataclasses.dataclass(frozen=True)
class HandInTime:
    """The time at which a submission was handed in, or the reason why it is unknown.

    Attributes:
        time: from its `timestamp.txt`, in UTC without a zone; None if unknown.
        why: why the time is unknown; empty if it is known.
        unavailable: whether there is a `timestamp.txt` that cannot be read here.
    """

    time: datetime | None
    why: str = ""
    unavailable: bool = False

    @property
    def is_refused(self) -> bool:
        """Whether there is a `timestamp.txt` that holds no usable time."""
        return bool(self.why) and self.why != NO_TIMESTAMP


def time_of(root: Path, parts: tuple[str, ...]) -> HandInTime:
    """Read when a submission was handed in; an unusable `timestamp.txt` is reported, not raised.

    Args:
        root: a trusted folder.
        parts: the submission's path below it.
    """
    try:
        time = timestamp(root, parts)
    except RefusedFileError as error:
        return HandInTime(None, f"its {TIMESTAMP} is {error}", isinstance(error, UnavailableFileError))
    return HandInTime(time, "" if time else NO_TIMESTAMP)


def timestamp(root: Path, parts: tuple[str, ...] = ()) -> datetime | None:
    """Read a submission's `timestamp.txt`; None if there is none.

    Args:
        root: a trusted folder.
        parts: the submission's path below it.

    Raises:
        RefusedFileError: if it is a link, a special file, or holds no plausible time.
        UnavailableFileError: if it cannot be read here.
    """
    try:
        raw = read_file(root, (*parts, TIMESTAMP), LONGEST_TIMESTAMP)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnavailableFileError(f"not readable ({error.strerror})") from None
    try:
        return parse(raw.decode("utf-8-sig", errors="replace"))
    except NotATimeError as error:
        raise RefusedFileError(f"no time ({error})") from None


def copy_kept(
    folder: int,
    to: Path,
    skipped: Callable[[str], bool] = lambda name: False,
    kept: Collection[str] = KEPT,
    most_bytes: int = 100 << 20,
) -> list[LeftOut]:
    """Copy the allowed files of a submission, except its notebooks, which are graded instead.

    Args:
        folder: the descriptor of the submission's folder.
        to: a trusted folder to copy into.
        skipped: whether to pass over a file or folder of this name.
        kept: suffixes of the files to copy, without the dot.
        most_bytes: limit on the total size of the copies.

    Returns:
        The files that were not copied, each with the reason.
    """
    found: list[LeftOut] = []
    count = total = 0
    for entry in walk(folder, skipped):
        if entry.name.endswith(".ipynb"):
            continue
        why = entry.why or _unwanted(entry, kept) or ("too much" if count >= MOST_FILES else None)
        if why is None:
            path = to.joinpath(*entry.parts)
            try:
                with opened_file(entry.name, entry.folder) as source:
                    if os.fstat(source).st_size > most_bytes - total:
                        raise RefusedFileError("too much")
                    path.parent.mkdir(parents=True, exist_ok=True)
                    count, total = count + 1, total + copy_file(source, path, most_bytes - total)
            except RefusedFileError as error:
                why = str(error)
            except OSError as error:
                why = f"not readable ({error.strerror})"
        if why is not None:
            found.append(LeftOut(Path(*entry.parts), why))
    return found


def _unwanted(entry: Entry, kept: Collection[str]) -> str | None:
    if not all(part.isprintable() for part in entry.parts):
        return "a file whose name is no plain text"
    if any(part.startswith(".") for part in entry.parts):
        return "a hidden file"  # such as settings that an editor reads when it opens the folder
    if CONFIGURATION.match(entry.name):
        return "a configuration file"
    if Path(entry.name).suffix.lower().removeprefix(".") not in kept:
        return "a file of a kind that is not copied"
    return None


def described(files: list[LeftOut]) -> list[str]:
    """Describe left-out files to people, one line each; safe for any file name, and at most `MOST_NAMED` are named."""
    lines = [str(item) for item in files[:MOST_NAMED]]
    return lines + ([f"and {len(files) - MOST_NAMED} more"] if len(files) > MOST_NAMED else [])
