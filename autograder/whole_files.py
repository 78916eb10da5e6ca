"""Write files atomically: complete or not at all, even if the power fails or the disk is full."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.sharing import make_folder, share_file


def write_whole(path: Path, raw: bytes, mode: int = 0o600) -> None:
    """Write a file under a temporary name, sync it to disk, then rename it, so that no link at its path is followed.

    Args:
        path: the file; its folder is made if it is missing.
        raw: the content.
        mode: the mode bits, besides those for graders who share the folder.

    Raises:
        OSError: if the file cannot be written; the error names it.
    """
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
            if sys.platform != "win32":  # which has no such bits
                os.fchmod(file.fileno(), mode)
        share_file(Path(name))
        os.replace(name, path)
    except BaseException as error:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # the error of a failed write names no file
        raise


def remove(path: Path) -> None:
    """Delete a file or a folder; students make folders that are deeper than Python's recursion goes."""
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    try:
        shutil.rmtree(path)
    except (RecursionError, OSError) as error:
        if is_refused(error):
            raise
        subprocess.run(["rm", "-rf", "--", str(path)], check=True)


def is_refused(error: BaseException) -> bool:
    """Tell whether the system refuses to write at a place: this user may not, or the disk is read-only."""
    return isinstance(error, PermissionError) or (isinstance(error, OSError) and error.errno == errno.EROFS)
