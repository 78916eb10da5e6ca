"""Read the files that lie beside a notebook, of an assignment or of a submission, within limits."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from autograder.notebooks.opening import RefusedFileError, UnavailableFileError, content, opened_file
from autograder.notebooks.submission_files import TIMESTAMP, LeftOut
from autograder.notebooks.walking import walk


def read_wanted(
    folder: int, skipped: Callable[[str], bool], wanted: Callable[[str], bool], most_bytes: int
) -> tuple[dict[str, bytes], list[LeftOut]]:
    """Read the files of a folder, except notebooks.

    Args:
        folder: its descriptor.
        skipped: whether to pass over a file or folder of this name.
        wanted: whether to read the file at this path in the folder.
        most_bytes: limit on their total size.

    Returns:
        The files by path, with slashes, and those that are wanted and were not read, each with the reason.
    """
    files, found = dict[str, bytes](), list[LeftOut]()
    left = most_bytes
    for entry in walk(folder, skipped):
        path = "/".join(entry.parts)
        if entry.name.endswith(".ipynb") or path == TIMESTAMP or not wanted(path):
            continue
        try:
            if why := entry.why or ("" if path.isprintable() else "a file whose name is no plain text"):
                raise RefusedFileError(why)
            with opened_file(entry.name, entry.folder) as source:
                size = os.fstat(source).st_size
                if size > left:
                    raise RefusedFileError(f"{size / (1 << 20):.0f} MiB, and {left >> 20} are left")
                files[path] = content(source, left)
                left -= len(files[path])
        except RefusedFileError as error:
            found.append(LeftOut(Path(*entry.parts), str(error), isinstance(error, UnavailableFileError)))
        except OSError as error:
            found.append(LeftOut(Path(*entry.parts), f"not readable ({error.strerror})", unavailable=True))
    return files, found
