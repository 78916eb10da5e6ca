"""A hook, installed on import, that makes SQLite connections wait longer for a lock than the default of 5 s.

`autograder grade`, nbgrader's own programs and the formgrader write to one file, perhaps for several people.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from sqlalchemy import Engine, event

from autograder.sharing import is_shared, share_file

LOCK_SECONDS = 30
"""Time to wait for the lock; then a class run reports that it waits on, and nbgrader's own programs fail."""


@event.listens_for(Engine, "connect")
def wait_for_the_lock(connection: object, _: object) -> None:
    """Set the busy timeout of a new SQLite connection, and share its file; called by SQLAlchemy."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute(f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000}")
        _share(connection.execute("PRAGMA database_list").fetchone()[2])


def _share(file: str) -> None:
    """Make a database in a shared folder writable for the group: SQLite creates it for its owner only."""
    if file and is_shared(Path(file).parent):
        with contextlib.suppress(PermissionError):  # the statement that writes reports it
            Path(file).touch()
        share_file(Path(file))
