"""Which files of a submission may be read and copied: ordinary ones, of kinds that no browser or tool would run."""

from __future__ import annotations

import dataclasses
import os
import re
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

STUDENT = re.compile(r"\w[\w.@+, -]*")
"""A student's name as a folder: no path, no HTML, nothing hidden."""
KEPT = ("txt", "md", "csv", "tsv", "json", "npy", "npz", "png", "jpg", "jpeg", "gif", "webp", "py")
"""Endings of files that are copied beside a notebook. HTML and SVG, say, would run in the formgrader."""
CONFIGURATION = re.compile(r"(nbgrader|jupyter|ipython).*config|conftest|sitecustomize|usercustomize", re.IGNORECASE)
MOST_FILES = 200
MOST_NAMED = 20


@dataclasses.dataclass(frozen=True)
class LeftOut:
    """A file of a submission that is neither read nor copied.

    Attributes:
        path: where it is.
        why: "a link", say.
    """

    path: Path
    why: str


def refusal(path: Path, submitted: Path) -> str | None:
    """Why a file may not be read, or None.

    Args:
        path: a file of a submission.
        submitted: the folder of all submissions; below it, no part of the path may be a link.
    """
    try:
        inside = path.relative_to(submitted)
        steps = [path, *(submitted.joinpath(*inside.parts[:count]) for count in range(1, len(inside.parts)))]
        if ".." in inside.parts or any(step.is_symlink() for step in steps):
            return "a link"
        status = path.lstat()
    except (OSError, ValueError):
        return "a file outside the submission"
    if not stat.S_ISREG(status.st_mode):
        return "not an ordinary file"
    return "a file with a second name elsewhere (a hard link)" if status.st_nlink > 1 else None


def left_out(folder: Path, submitted: Path, kept: Collection[str] = KEPT, most_bytes: int = 100 << 20) -> list[LeftOut]:
    """Every file beside a submission's notebooks that is not to be copied, and why.

    Args:
        folder: the submission.
        submitted: the folder of all submissions.
        kept: endings of files that are copied.
        most_bytes: of all copied files together.
    """
    found: list[LeftOut] = []
    count = total = 0
    for path in _files(folder):
        why = refusal(path, submitted) or _unwanted(path, kept)
        if why is None:
            count, total = count + 1, total + path.stat().st_size
            if count > MOST_FILES or total > most_bytes:
                why = "too much"
        if why is not None:
            found.append(LeftOut(path, why))
    return found


def _files(folder: Path) -> Iterator[Path]:
    """All but notebooks, which are graded and not copied; links to folders too, which nothing follows."""
    for parent, folders, files in os.walk(folder):
        linked = [name for name in folders if os.path.islink(os.path.join(parent, name))]
        yield from (Path(parent, name) for name in sorted(linked + files) if not name.endswith(".ipynb"))


def _unwanted(path: Path, kept: Collection[str]) -> str | None:
    if any(not part.isprintable() for part in path.parts):
        return "a file whose name is no plain text"
    if path.suffix.lower().removeprefix(".") not in kept:
        return "a file of a kind that is not copied"
    return "a configuration file" if CONFIGURATION.match(path.name) else None


def described(files: list[LeftOut], folder: Path) -> list[str]:
    """One line a file, for people; whatever is in its name."""
    lines = [f"{ascii(str(item.path.relative_to(folder)))[1:-1][:100]} ({item.why})" for item in files[:MOST_NAMED]]
    return lines + ([f"and {len(files) - MOST_NAMED} more"] if len(files) > MOST_NAMED else [])
