"""Importing this makes each connection to an SQLite gradebook wait for its lock longer than the usual 5 s.

`autograder grade`, nbgrader's own programs and the formgrader write to one file, which may be several people's.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from sqlalchemy import Engine, event

from autograder.sharing import is_shared, share_file

LOCK_SECONDS = 30
"""After that, a class run says that it waits and goes on waiting; nbgrader's own programs fail."""


@event.listens_for(Engine, "connect")
def wait_for_the_lock(connection: object, _: object) -> None:
    """SQLAlchemy's hook."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute(f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000}")
        _share(connection.execute("PRAGMA database_list").fetchone()[2])


def _share(file: str) -> None:
    """Let the group write a database in a shared folder; SQLite makes it for its owner alone, whatever the umask."""
    if file and is_shared(Path(file).parent):
        with contextlib.suppress(PermissionError):  # the statement that needs it says so
            Path(file).touch()
        share_file(Path(file))
