"""Which files of a submission may be read and copied: ordinary ones, of kinds that no browser or tool would run."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path

from nbgrader.utils import parse_utc

from autograder.notebooks.opening import RefusedFileError, copy_file, opened_file, read_file
from autograder.notebooks.reading import LARGEST_FILE, UnreadableNotebookError
from autograder.notebooks.walking import Entry, walk
from autograder.visible_text import visible

STUDENT = re.compile(r"\w[\w.@+, -]*")
"""A student's name as a folder: no path, no HTML, nothing hidden."""
KEPT = ("txt", "md", "csv", "tsv", "json", "npy", "npz", "png", "jpg", "jpeg", "gif", "webp")
"""Endings of files that are copied beside a notebook. HTML and SVG, say, would run in the formgrader; a module called
`ipykernel_launcher.py` is what `python -m` finds first where JupyterLab starts a kernel, as it does for every notebook
that somebody opens."""
CONFIGURATION = re.compile(r"(nbgrader|jupyter|ipython).*config|conftest|sitecustomize|usercustomize", re.IGNORECASE)
MOST_FILES = 200
MOST_NAMED = 20
LONGEST_NAME = 100
TIMESTAMP = "timestamp.txt"
LONGEST_TIMESTAMP = 200  # bytes
EARLIEST, LATEST = datetime(1990, 1, 1), datetime(2200, 1, 1)
"""Times that a time zone can be added to, and that no page fails to show."""


@dataclasses.dataclass(frozen=True)
class LeftOut:
    """A file of a submission that is neither read nor copied.

    Attributes:
        path: where it is, below the submission's folder.
        why: "a link", say.
    """

    path: Path
    why: str

    def __str__(self) -> str:
        return f"{visible(str(self.path), kept='')[:LONGEST_NAME]} ({self.why})"


def notebook_bytes(submitted: Path, parts: tuple[str, ...]) -> bytes:
    """The content of a submitted notebook.

    Args:
        submitted: the folder of all submissions; below it no link is followed.
        parts: the notebook's path below it.

    Raises:
        UnreadableNotebookError: where it is no ordinary file, too large, or cannot be read.
    """
    try:
        raw = read_file(submitted, parts, LARGEST_FILE)
    except RefusedFileError as error:
        raise UnreadableNotebookError(f"The submitted notebook is {error}. Hand in the notebook itself.") from None
    except OSError as error:
        raise UnreadableNotebookError(f"The submitted notebook cannot be read ({error.strerror}).") from None
    if len(raw) > LARGEST_FILE:
        raise UnreadableNotebookError(f"The file is larger than {LARGEST_FILE >> 20} MB.")
    return raw


def timestamp(root: Path, parts: tuple[str, ...] = ()) -> datetime | None:
    """When a submission was handed in, as its `timestamp.txt` says; None where there is none.

    Args:
        root: a trusted folder.
        parts: the way from it to the submission.

    Raises:
        RefusedFileError: where it is a link, special, or holds no time that a course could have.
    """
    try:
        raw = read_file(root, (*parts, TIMESTAMP), LONGEST_TIMESTAMP)
    except OSError:
        return None
    try:
        time = parse_utc(raw.decode()) if len(raw) <= LONGEST_TIMESTAMP else None
    except (ValueError, OverflowError, TypeError):
        time = None
    if time is None or not EARLIEST <= time <= LATEST:
        raise RefusedFileError("no time")
    return time


def copy_kept(
    folder: int,
    to: Path,
    skipped: Callable[[str], bool] = lambda name: False,
    kept: Collection[str] = KEPT,
    most_bytes: int = 100 << 20,
) -> list[LeftOut]:
    """Copy what may lie beside a submission's notebooks.

    Args:
        folder: the submission's descriptor.
        to: a folder of our own.
        skipped: says of a name that it is passed over, with all below it.
        kept: endings of files that are copied.
        most_bytes: of all copied files together.

    Returns:
        Every file that was not copied, and why. Notebooks are graded and not copied.
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
        return "a hidden file"  # settings of editors, say, which read them where a folder is opened
    if CONFIGURATION.match(entry.name):
        return "a configuration file"
    if Path(entry.name).suffix.lower().removeprefix(".") not in kept:
        return "a file of a kind that is not copied"
    return None


def described(files: list[LeftOut]) -> list[str]:
    """One line a file, for people; whatever is in its name."""
    lines = [str(item) for item in files[:MOST_NAMED]]
    return lines + ([f"and {len(files) - MOST_NAMED} more"] if len(files) > MOST_NAMED else [])
