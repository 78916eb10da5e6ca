"""Open a submission's files by descriptor, without races between check and use (TOCTOU).

A path that was checked may lead elsewhere by the time it is opened: the owner of a folder can rename a symbolic link
over a file in between. So every step down from a trusted folder is opened relative to the descriptor of the step before
it, follows no link, and never blocks on a pipe. The file's type is then read from its open descriptor.
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
    """The file at a path must not be read; the message completes "it is": "a link"."""


class UnavailableFileError(RefusedFileError):
    """The file may be what it should be, but this machine, or the way in which it was copied here, keeps it away."""


@contextlib.contextmanager
def opened_folder(root: Path | int, parts: tuple[str, ...] = ()) -> Iterator[int]:
    """Open a folder below a trusted one and yield its descriptor.

    Args:
        root: the trusted folder, whose own path may contain links; or its descriptor, which stays open.
        parts: names of the folders on the way down from it.

    Raises:
        RefusedFileError: if a step is a link, or not a folder.
        UnavailableFileError: if a step cannot be opened here.
        FileNotFoundError: if there is no such folder.
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
    """Open a regular file that has no second hard link, and yield its descriptor.

    Args:
        name: the file's name in the folder.
        folder: the folder's descriptor.
        owner: the user id that must own the file; None if any may.

    Raises:
        RefusedFileError: if it is anything else.
        UnavailableFileError: if it has a second hard link, or cannot be opened here.
        FileNotFoundError: if there is no such file.
    """
    descriptor = _open(name, folder)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise RefusedFileError("not an ordinary file")
        if status.st_nlink > 1:
            raise UnavailableFileError("a file with a second name elsewhere (a hard link)")
        if owner is not None and status.st_uid != owner:
            raise RefusedFileError("a file of another user")
        yield descriptor
    finally:
        os.close(descriptor)


def read_file(root: Path, parts: tuple[str, ...], most: int) -> bytes:
    """Read a file below a trusted folder.

    Args:
        root: the trusted folder.
        parts: folders below it, then the file's name.
        most: limit in bytes; of a larger file one byte more is returned, so that the caller sees it.

    Raises:
        RefusedFileError: if a step is a link, or the file is not a regular one.
        OSError: if it cannot be read.
    """
    with opened_folder(root, parts[:-1]) as folder, opened_file(parts[-1], folder) as descriptor:
        return content(descriptor, most + 1)


def copy_file(source: int, to: Path, most: int) -> int:
    """Copy an open file with its times and permissions, but without setuid, setgid and sticky bits.

    Args:
        source: the file's descriptor.
        to: a path that does not exist yet.
        most: limit in bytes.

    Returns:
        The number of bytes copied; `most` + 1 if the file is larger.
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
        raise _refusal(name, folder, error) from None


def _refusal(name: str, folder: int, error: OSError) -> RefusedFileError:
    with contextlib.suppress(OSError):
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return RefusedFileError("a link")
    if error.errno == errno.ELOOP:
        return RefusedFileError("a link")
    if error.errno in (errno.ENOTDIR, errno.ENXIO, errno.ENODEV):
        return RefusedFileError("not an ordinary file")
    return UnavailableFileError(f"not readable ({os.strerror(error.errno or 0)})")


def content(descriptor: int, most: int) -> bytes:
    """Read an open file from its beginning, at most so many bytes."""
    return b"".join(_content(descriptor, most))


def _content(descriptor: int, most: int) -> Iterator[bytes]:
    while most > 0 and (chunk := os.read(descriptor, min(most, CHUNK))):
        most -= len(chunk)
        yield chunk
