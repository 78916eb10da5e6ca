"""The gradebook's database: opened, waited for, and named in a sentence where it cannot be had.

SQLite or PostgreSQL; nbgrader_config.py says which, and nothing else asks but for how an error looks.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from nbgrader.api import Gradebook, InvalidEntry
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError

from autograder.classroom.errors import CourseError, RaceError
from autograder.nbgrader_plugin.disk import is_full, room
from autograder.nbgrader_plugin.reasons import database_error, told

Result = TypeVar("Result")
PATIENCE_SECONDS = 600.0
"""How long to wait for a database that is locked, restarting or away."""
FULL_SECONDS = 60.0
"""How long to wait for room on a disk: nobody makes any while a program keeps silent."""
PAUSE_SECONDS = 1.0
LASTING = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""SQLite's errors that stay: a table that is missing, a file that is not ours to write."""
MOST_RACES = 5
"""How often another grader may write the same new row first, one submission."""


@contextlib.contextmanager
def opened(db_url: str) -> Iterator[Gradebook]:
    """nbgrader's gradebook, closed at the block's end.

    Raises:
        CourseError: where the database cannot be had, from the driver's own error.
    """
    try:
        with Gradebook(db_url) as gradebook:
            yield gradebook
    except (SQLAlchemyError, ModuleNotFoundError) as error:
        raise CourseError(_sentence(db_url, error)) from error
    except InvalidEntry as error:  # nbgrader's name for whatever a commit met, a connection that was cut too
        if not passes(trouble := database_error(error)):
            raise
        raise CourseError(_sentence(db_url, trouble)) from trouble


def _sentence(db_url: str, error: Exception) -> str:
    """What is wrong with the database, and what to do."""
    if isinstance(error, ArgumentError):  # the address is not repeated: a password may stand in it
        return "the database's address in COURSE_DB_URL cannot be read: docs/postgresql.md shows how one looks"
    if isinstance(error, ModuleNotFoundError):
        return f"there is no driver for this database ({error}): install it with `pip install -e '.[postgres]'`"
    where = make_url(db_url).render_as_string(hide_password=True)
    what_to_do = "see that its folder is there, is yours to write and has room"
    if not db_url.startswith("sqlite"):
        what_to_do = "see that its server runs, that it exists and that ~/.pgpass holds its password"
    if isinstance(error, DBAPIError) and not passes(error):  # a table or a column that is missing
        what_to_do = "where an older nbgrader made it, run `nbgrader db upgrade`"
    return f"the gradebook {where} cannot be used ({told(error)}): {what_to_do}"


def lasts(error: BaseException | None) -> bool:
    """Whether SQLite says that its file cannot be used by whoever asks, so that no submission can be written."""
    driver = getattr(error, "orig", None)
    return isinstance(driver, sqlite3.Error) and driver.sqlite_errorcode & 0xFF in LASTING[1:]


def passes(error: BaseException | None) -> bool:
    """Whether an error goes away where one waits: a lock, a restart, a connection that was cut."""
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        return isinstance(error, OperationalError) and error.orig.sqlite_errorcode & 0xFF not in LASTING
    return error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)


def patiently(
    action: Callable[[], Result],
    say: Callable[[str], None],
    cause: Callable[[Exception], BaseException | None] = database_error,
    places: Mapping[Path, str] | None = None,
) -> Result:
    """Do something with the database or the disk; again, where one of them was in the way.

    Args:
        action: does the same however often it is called.
        say: told once that one waits, and why.
        cause: the database's error behind one that `action` raised.
        places: what is written where, to say which disk is full.

    Raises:
        CourseError: where the database stays away or the disk full; anything else that `action` raises.
    """
    begun, failures, races = time.monotonic(), 0, 0
    while True:
        try:
            return action()
        except Exception as error:
            trouble = cause(error)
            if full := next((one for one in (trouble, error) if is_full(one)), None):
                said = room(full, places)
                if time.monotonic() - begun > FULL_SECONDS:
                    raise CourseError(f"{said}, then repeat the command") from error
                if not failures:
                    say(f"waiting {FULL_SECONDS:.0f} s for room: {said}")
                failures += 1
                time.sleep(PAUSE_SECONDS)
                continue
            if (isinstance(trouble, IntegrityError) or isinstance(error, RaceError)) and races < MOST_RACES:
                races += 1  # the row is there now, and is found
                continue
            if not passes(trouble):
                raise
            if time.monotonic() - begun > PATIENCE_SECONDS:
                raise CourseError(
                    f"the database does not come back ({told(trouble)}): what is written stays, "
                    "and the same command goes on when it is there"
                ) from error
            failures += 1
            if failures == 1:
                continue  # a connection that was cut while nobody used it: the next one is new
            if failures == 2:
                say(f"waiting for the gradebook's database: {told(trouble)}")
            time.sleep(PAUSE_SECONDS)
