"""One database engine for a whole class run in the place of nbgrader's many, and one commit for each opening."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import nbgrader.api
from nbgrader.api import Gradebook
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, scoped_session, sessionmaker

import autograder.nbgrader_plugin.patience  # noqa: F401
from autograder.classroom.database import patiently

POSTGRESQL = {"connect_timeout": 10, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
"""libpq's, in seconds: a server whose machine has lost its power never says that it is gone."""
LOUD = ("tornado.application", "sqlalchemy.pool")
"""Loggers that print a traceback for each error of a database, also for those that are waited for."""


class Troubles:
    """The database's errors since they were last forgotten.

    nbgrader turns them into its own exceptions, and not all of those name their cause.
    """

    def __init__(self) -> None:
        self._seen: list[SQLAlchemyError | None] = []

    def note(self, context: ExceptionContext) -> None:
        """SQLAlchemy's hook."""
        self._seen.append(context.sqlalchemy_exception)

    def forget(self) -> None:
        """Begin anew."""
        self._seen.clear()

    @property
    def last(self) -> SQLAlchemyError | None:
        """The latest one."""
        return self._seen[-1] if self._seen else None


class _OneCommit(Session):
    """Keeps what it is told to commit until the end: nbgrader commits after every cell, and then reads all anew."""

    def commit(self) -> None:
        """Send the changes, so that what the database refuses is refused here."""
        self.flush()

    def end(self, *, well: bool = True) -> None:
        """Commit and forget; only forget, where what was begun did not come to its end."""
        try:
            if well:
                super().commit()
        finally:
            self.close()


@contextlib.contextmanager
def one_engine(db_url: str, say: Callable[[str], None]) -> Iterator[Troubles]:
    """Inside the block every `Gradebook(...)` on this database is the same open one.

    nbgrader makes a new engine for every step of every submission, and with it loses the statements that
    SQLAlchemy has compiled, and the connection; most of the time of a conversion went there. What is changed in one
    opening is committed together when it is closed.

    Args:
        db_url: the database.
        say: told where it has to be waited for.

    Yields:
        What goes wrong with it meanwhile.

    Raises:
        CourseError: where it stays away.
    """
    troubles = Troubles()
    with mock.patch.object(nbgrader.api, "create_engine", _patient_engine):
        shared = patiently(lambda: Gradebook(db_url), say)
    event.listen(shared.engine, "handle_error", troubles.note)
    sessions = scoped_session(sessionmaker(shared.engine, class_=_OneCommit, expire_on_commit=False))
    with shared, contextlib.ExitStack() as patches:

        def adopt(self: Gradebook, url: str, course_id: str = "default_course", authenticator: Any = None) -> None:
            if url != db_url:
                return original(self, url, course_id, authenticator)
            sessions.remove()  # a session of its own, whatever became of the one before
            self.engine, self.db = shared.engine, sessions
            self.course_id, self.authenticator = course_id, authenticator
            self.check_course(course_id=course_id)
            return None

        def release(self: Gradebook, error: type | None = None, *_: Any) -> None:
            if self.db is not sessions:
                return close(self)
            sessions().end(well=error is None)
            return None

        original, close = Gradebook.__init__, Gradebook.close
        patches.enter_context(mock.patch.object(Gradebook, "__init__", adopt))
        patches.enter_context(mock.patch.object(Gradebook, "close", release))
        patches.enter_context(mock.patch.object(Gradebook, "__exit__", release))
        for name in LOUD:
            patches.enter_context(mock.patch.object(logging.getLogger(name), "disabled", True))
        yield troubles


def _patient_engine(url: str, **options: Any) -> Engine:
    """SQLAlchemy's engine, whose connections wait for a server as long as a class run wants, not for ever."""
    if url.startswith("postgresql"):
        options["connect_args"] = POSTGRESQL
    return create_engine(url, **options)
