"""A gradebook that several graders share, each as a system user: nbgrader's `groupshared`, for every file below it.

Whether a gradebook is shared is written on its folder, as the bits `g+ws` (setgid, so that files get the folder's
group). What is made below looks there, and needs no configuration: workers and the grader's process have none.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

SHARED = stat.S_ISGID | stat.S_IWGRP
OPEN_FOLDER = stat.S_ISGID | stat.S_IRWXG
OPEN_FILE = stat.S_IRGRP | stat.S_IWGRP
HOW = "ask whoever made it to share the gradebook, as docs/instructors.md says under Two assistants"


def is_shared(folder: Path) -> bool:
    """Whether what is made in a folder belongs to a group of graders."""
    try:
        return folder.stat().st_mode & SHARED == SHARED
    except FileNotFoundError:
        return folder.parent != folder and is_shared(folder.parent)


def share_gradebook(gradebook: Path, exchange: Path) -> None:
    """Let a group write what is made in a gradebook from now on.

    This process makes all its files so: nbgrader has no other way for some of its own.

    Args:
        gradebook: its folder.
        exchange: that of the exchange, which was made before.
    """
    os.umask(os.umask(0o077) & ~stat.S_IRWXG)
    _add(gradebook, OPEN_FOLDER)
    share_file(exchange, OPEN_FOLDER)


def share_file(path: Path, bits: int = OPEN_FILE) -> None:
    """Let the group at a file of ours where its folder is shared; else leave it as it is.

    Args:
        path: the file.
        bits: what the group may do with it.
    """
    if is_shared(path.parent):
        _add(path, bits)


def make_folder(path: Path) -> None:
    """Make a folder, with those above it, that nobody else may look into but the group that shares it."""
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(mode=0o770 if is_shared(path.parent) else 0o700, exist_ok=True)
    share_file(path, OPEN_FOLDER)


def folders_for_grading(gradebook: Path, exchange: Path) -> None:
    """Make what a course's configuration needs; end the program with a sentence where this user may not.

    Args:
        gradebook: the gradebook's folder.
        exchange: that of the exchange.
    """
    try:
        gradebook.mkdir(parents=True, exist_ok=True)
        os.scandir(gradebook).close()
        exchange.mkdir(mode=0o777, parents=True, exist_ok=True)
    except PermissionError as error:
        print(f"{error.filename} is not open to you ({error.strerror}): {HOW}", file=sys.stderr)
        sys.exit(2)


def _add(path: Path, bits: int) -> None:
    """Add permissions to what is ours; others' files are theirs to open."""
    status = path.stat()
    if status.st_mode & bits != bits and status.st_uid == os.geteuid():
        path.chmod(stat.S_IMODE(status.st_mode) | bits)
