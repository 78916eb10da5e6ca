"""One shared database engine for a whole class run, instead of nbgrader's many, with one commit per opening."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

import nbgrader.api
from nbgrader.api import Gradebook
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, scoped_session, sessionmaker

import autograder.nbgrader_plugin.patience  # noqa: F401
from autograder.classroom.database import retry
from autograder.replacing import replaced

POSTGRESQL = {"connect_timeout": 10, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
"""libpq's settings, in seconds: a server whose machine lost power never closes its connections."""
LOUD = ("tornado.application", "sqlalchemy.pool")
"""Loggers that print a traceback for each database error, even for one that `retry` handles."""


class DatabaseErrors:
    """The database's errors since `forget` was last called.

    nbgrader converts them to its own exceptions, not all of which name their cause.
    """

    def __init__(self) -> None:
        self._seen: list[SQLAlchemyError | None] = []

    def note(self, context: ExceptionContext) -> None:
        """Record an error; SQLAlchemy calls this hook."""
        self._seen.append(context.sqlalchemy_exception)

    def forget(self) -> None:
        """Clear the record."""
        self._seen.clear()

    @property
    def last(self) -> SQLAlchemyError | None:
        """Return the latest error; None if there was none."""
        return self._seen[-1] if self._seen else None


class _DeferredCommit(Session):
    """A session that commits once, at its end: nbgrader commits after every cell, and then reads everything again."""

    def commit(self) -> None:
        """Flush the changes, so that an error of the database is raised here."""
        self.flush()

    def end(self, *, success: bool = True) -> None:
        """Commit on success, else roll back; close the session."""
        try:
            if success:
                super().commit()
        finally:
            self.close()


@contextlib.contextmanager
def shared_engine(db_url: str, say: Callable[[str], None]) -> Iterator[DatabaseErrors]:
    """Within the block, let every `Gradebook(...)` on this database share one open engine.

    nbgrader makes a new engine for every step of every submission, and with it loses the connection and SQLAlchemy's
    compiled statements, which took most of the time of a conversion. The changes between the opening and the closing
    of a `Gradebook` are committed together.

    Args:
        db_url: the database.
        say: called with a sentence when the run waits for the database.

    Yields:
        A record of the database's errors.

    Raises:
        CourseError: if the database stays away.
    """
    errors = DatabaseErrors()
    with replaced(nbgrader.api, "create_engine", _patient_engine):
        shared = retry(lambda: Gradebook(db_url), say)
    event.listen(shared.engine, "handle_error", errors.note)
    sessions = scoped_session(sessionmaker(shared.engine, class_=_DeferredCommit, expire_on_commit=False))
    with shared, contextlib.ExitStack() as patches:

        def adopt(self: Gradebook, url: str, course_id: str = "default_course", authenticator: Any = None) -> None:
            if url != db_url:
                original(self, url, course_id, authenticator)
                return
            sessions.remove()  # each opening gets a new session, however the one before ended
            self.engine, self.db = shared.engine, sessions
            self.course_id, self.authenticator = course_id, authenticator
            self.check_course(course_id=course_id)

        def release(self: Gradebook, error: type | None = None, *_: Any) -> None:
            if self.db is sessions:
                sessions().end(success=error is None)
            else:
                close(self)

        original, close = Gradebook.__init__, Gradebook.close
        patches.enter_context(replaced(Gradebook, "__init__", adopt))
        patches.enter_context(replaced(Gradebook, "close", release))
        patches.enter_context(replaced(Gradebook, "__exit__", release))
        for name in LOUD:
            patches.enter_context(replaced(logging.getLogger(name), "disabled", True))
        yield errors


def _patient_engine(url: str, **options: Any) -> Engine:
    """Make SQLAlchemy's engine, with time limits on PostgreSQL's connections."""
    if url.startswith("postgresql"):
        options["connect_args"] = POSTGRESQL
    return create_engine(url, **options)
