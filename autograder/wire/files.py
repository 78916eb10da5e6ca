"""Files that lie beside a notebook while it runs: as one frame, and laid out in the folder where it runs."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from autograder.wire.frames import TornFrameError, pack, unpack

READ_ONLY, READ_ONLY_FOLDER = 0o444, 0o555


def pack_files(files: Mapping[str, bytes]) -> bytes:
    """Serialise files, given by their paths with slashes; the frame is empty where there are none."""
    if not files:
        return b""
    return pack([[path, len(content)] for path, content in files.items()], b"".join(files.values()))


def unpack_files(raw: bytes) -> dict[str, bytes]:
    """Return the files that `pack_files` serialised.

    Raises:
        TornFrameError: if the bytes are anything else, or a path leads out of the folder.
    """
    if not raw:
        return {}
    listed, blob = unpack(raw)
    files, start = dict[str, bytes](), 0
    for path, size in listed:
        parts = PurePosixPath(path).parts
        if not parts or ".." in parts or PurePosixPath(path).is_absolute():
            raise TornFrameError(f"{path!r} is no path below a folder")
        files[path] = blob[start : start + size]
        start += size
    return files


def lay_out(raw: bytes, folder: str) -> list[Path]:
    """Write files below a folder, with permissions only to read.

    Args:
        raw: the files, from `pack_files`.
        folder: an empty folder.

    Returns:
        The files and folders that now lie in it.
    """
    within: set[Path] = set()
    for path, content in unpack_files(raw).items():
        target = Path(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(READ_ONLY)
        within |= set(target.parents)
    for inner in within:
        if Path(folder) in inner.parents:
            inner.chmod(READ_ONLY_FOLDER)
    return sorted(Path(folder).iterdir())


def remove(folder: str) -> None:
    """Remove a folder in which files were laid out, those that nobody may write included."""
    for path, _, _ in os.walk(folder):
        with contextlib.suppress(OSError):
            os.chmod(path, 0o700)
    shutil.rmtree(folder, ignore_errors=True)
