"""Open what a submission holds by descriptors, so that what was looked at is what is read.

A path that was checked may lead elsewhere by the time it is opened: whoever owns a folder can rename a link over a
file in between. So every step down from a trusted folder is taken relative to the descriptor of the step before it,
follows no link, and never waits for a pipe's other end. What the file is, is asked of its open descriptor.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

CHUNK = 1 << 20


class RefusedFileError(Exception):
    """What stands at a path is not to be read; the message completes "it is": "a link"."""


@contextlib.contextmanager
def opened_folder(root: Path | int, parts: tuple[str, ...] = ()) -> Iterator[int]:
    """A descriptor of a folder below a trusted one.

    Args:
        root: the trusted folder, whose own path may hold links; or a descriptor, which stays open.
        parts: the steps down from it.

    Raises:
        RefusedFileError: where a step is a link, or no folder.
        FileNotFoundError: where there is none.
    """
    descriptor = os.dup(root) if isinstance(root, int) else os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts:
            above, descriptor = descriptor, _open(part, descriptor, os.O_DIRECTORY)
            os.close(above)
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def opened_file(name: str, folder: int, owner: int | None = None) -> Iterator[int]:
    """A descriptor of an ordinary file with one name.

    Args:
        name: in the folder.
        folder: the folder's descriptor.
        owner: the user id whose file it must be; None where that is not known.

    Raises:
        RefusedFileError: where it is anything else.
        FileNotFoundError: where there is none.
    """
    descriptor = _open(name, folder)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise RefusedFileError("not an ordinary file")
        if status.st_nlink > 1:
            raise RefusedFileError("a file with a second name elsewhere (a hard link)")
        if owner is not None and status.st_uid != owner:
            raise RefusedFileError("a file of another user")
        yield descriptor
    finally:
        os.close(descriptor)


def read_file(root: Path, parts: tuple[str, ...], most: int) -> bytes:
    """A file's content, from a trusted folder down.

    Args:
        root: the trusted folder.
        parts: folders below it, then the file's name.
        most: bytes; of a larger file one byte more is read, so that it shows.

    Raises:
        RefusedFileError: where a step is a link, or the file is no ordinary one.
        OSError: where it cannot be read.
    """
    with opened_folder(root, parts[:-1]) as folder, opened_file(parts[-1], folder) as descriptor:
        return b"".join(_content(descriptor, most + 1))


def copy_file(source: int, to: Path, most: int) -> int:
    """Copy an open file, with its times and permissions, but nothing that runs as somebody else.

    Args:
        source: its descriptor.
        to: a path where nothing stands.
        most: bytes.

    Returns:
        How many were copied; one more than `most` where it holds more.
    """
    status, count = os.fstat(source), 0
    mode = stat.S_IMODE(status.st_mode) & 0o777 | 0o600
    with open(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb") as target:
        for chunk in _content(source, most + 1):
            count += target.write(chunk)
        target.flush()
        os.utime(target.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))
    return count


def _open(name: str, folder: int, flags: int = 0) -> int:
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        raise RefusedFileError("a file outside the submission")
    flags |= os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
    try:
        return os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise RefusedFileError(_why(name, folder, error)) from None


def _why(name: str, folder: int, error: OSError) -> str:
    with contextlib.suppress(OSError):
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return "a link"
    if error.errno in (errno.ENOTDIR, errno.ENXIO, errno.ENODEV):
        return "not an ordinary file"
    return "a link" if error.errno == errno.ELOOP else f"not readable ({os.strerror(error.errno or 0)})"


def _content(descriptor: int, most: int) -> Iterator[bytes]:
    while most > 0 and (chunk := os.read(descriptor, min(most, CHUNK))):
        most -= len(chunk)
        yield chunk
