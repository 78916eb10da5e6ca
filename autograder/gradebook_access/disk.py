"""Full disks: recognising one from an exception, and telling a person where to make room."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path

FULL = (errno.ENOSPC, errno.EDQUOT)
MIB = 1 << 20
DATABASE = "the database"


def is_full(error: BaseException | None) -> bool:
    """Tell whether an exception, or one in its chain of causes, was raised because a disk is full."""
    return _full_disk_error(error) is not None


def full_disk_message(error: BaseException, places: Mapping[Path, str] | None = None) -> str:
    """Say how much space is free on the full disk, and where.

    Args:
        error: an exception for which `is_full` holds.
        places: candidate folders, with what each holds, in case the exception names no file.
    """
    found, places = _full_disk_error(error), dict(places or {})
    named = getattr(found, "filename", None)
    if isinstance(named, str | bytes):
        path = Path(os.fsdecode(named))
        what = next((what for place, what in places.items() if path.is_relative_to(place)), "")
    else:
        if not isinstance(found, OSError):
            places = {place: what for place, what in places.items() if what == DATABASE}
        if not places:
            return "the disk is full: make room on it"
        path = min(places, key=_free)
        what = places[path]
    about = f" ({what})" if what else ""
    return f"the disk is full, {_free(path) / MIB:.1f} MiB are free at {_folder(path)}{about}: make room there"


def _full_disk_error(error: BaseException | None) -> BaseException | None:
    """Find the exception of a full disk in an exception's chain of causes."""
    while error is not None:
        driver = getattr(error, "orig", None)
        if isinstance(driver, sqlite3.Error) and getattr(driver, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return error
        if isinstance(error, OSError) and error.errno in FULL:
            return error
        error = error.__cause__ or error.__context__
    return None


def _folder(path: Path) -> Path:
    return next((one for one in (path, *path.parents) if one.is_dir()), Path("/"))


def _free(path: Path) -> int:
    return shutil.disk_usage(_folder(path)).free
