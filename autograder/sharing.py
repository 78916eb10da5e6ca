"""Share a gradebook among graders who are different system users: nbgrader's `groupshared`, for every file below it.

A gradebook is shared if its folder has the mode bits `g+ws` (setgid, so that files get the folder's group). Code that
makes files below it looks at these bits, because workers and the grader's process have no configuration.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

SHARED = stat.S_ISGID | stat.S_IWGRP
OPEN_FOLDER = stat.S_ISGID | stat.S_IRWXG
OPEN_FILE = stat.S_IRGRP | stat.S_IWGRP
HOW = "ask its owner to share the gradebook, as docs/instructors.md says under Two assistants"


def is_shared(folder: Path) -> bool:
    """Return whether files made in a folder belong to a group of graders."""
    try:
        return folder.stat().st_mode & SHARED == SHARED
    except FileNotFoundError:
        return folder.parent != folder and is_shared(folder.parent)


def share_gradebook(gradebook: Path, exchange: Path | None) -> None:
    """Let a group write to files that are made in a gradebook from now on.

    This sets the umask of the process, because some of nbgrader's own files can be shared in no other way.

    Args:
        gradebook: the gradebook's folder.
        exchange: the exchange's folder, which must exist; None if it is not this course's own.
    """
    os.umask(os.umask(0o077) & ~stat.S_IRWXG)
    _add(gradebook, OPEN_FOLDER)
    if exchange is not None:
        share_file(exchange, OPEN_FOLDER)


def share_file(path: Path, bits: int = OPEN_FILE) -> None:
    """Give the group access to a file of this user if its folder is shared.

    Args:
        path: the file.
        bits: the mode bits to add.
    """
    if is_shared(path.parent):
        _add(path, bits)


def make_folder(path: Path) -> None:
    """Make a folder and its parents, open only to this user and the group that shares it."""
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(mode=0o770 if is_shared(path.parent) else 0o700, exist_ok=True)
    share_file(path, OPEN_FOLDER)


def folders_for_grading(gradebook: Path, exchange: Path) -> None:
    """Make the folders that a course's configuration needs, or exit with a message if this user may not.

    A new gradebook is closed to other users, because on a server with several accounts its files (scores, submissions)
    would be readable by all of them.

    Args:
        gradebook: the gradebook's folder.
        exchange: the exchange's folder.
    """
    try:
        make_folder(gradebook)
        os.scandir(gradebook).close()
        exchange.mkdir(mode=0o777, parents=True, exist_ok=True)
    except PermissionError as error:
        print(f"{error.filename} is not open to you ({error.strerror}): {HOW}", file=sys.stderr)
        sys.exit(2)


def _add(path: Path, bits: int) -> None:
    """Add mode bits to a file of this user; leave other users' files alone."""
    status = path.stat()
    if status.st_mode & bits != bits and status.st_uid == os.geteuid():
        path.chmod(stat.S_IMODE(status.st_mode) | bits)
