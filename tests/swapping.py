"""Swap a file for another at the last moment: after every check of its path, before the path is opened."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

_armed: dict[str, Callable[[], None]] = {}


def _before_opening(event: str, arguments: tuple) -> None:
    """Python's audit hook: `open` is announced before the system call, by open and os.open alike."""
    if event != "open" or not _armed or not isinstance(arguments[0], str | bytes | os.PathLike):
        return
    if (swap := _armed.pop(os.path.basename(os.fsdecode(arguments[0])), None)) is not None:
        swap()


sys.addaudithook(_before_opening)


@contextlib.contextmanager
def swapped_when_opened(path: Path, new: Path, at: str = "") -> Iterator[None]:
    """Rename `new` over `path` as soon as this process is about to open a file of its name, or of the name `at`."""
    name = at or path.name
    _armed[name] = lambda: _swap(path, new)
    try:
        yield
        assert name not in _armed, f"nothing opened {name}"
    finally:
        _armed.pop(name, None)


def _swap(path: Path, new: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(f"{path.name}.before"))
    new.rename(path)
