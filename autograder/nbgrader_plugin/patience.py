"""Importing this makes each connection to an SQLite gradebook wait for its lock longer than the usual 5 s.

`autograder grade`, nbgrader's own programs and the formgrader write to one file.
"""

from __future__ import annotations

import sqlite3

from sqlalchemy import Engine, event

LOCK_SECONDS = 30
"""After that, a class run says that it waits and goes on waiting; nbgrader's own programs fail."""


@event.listens_for(Engine, "connect")
def wait_for_the_lock(connection: object, _: object) -> None:
    """SQLAlchemy's hook."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute(f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000}")
