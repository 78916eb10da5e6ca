"""Open the gradebook's database, retry while it is locked or away, and explain in a sentence what is wrong with it.

nbgrader_config.py chooses SQLite or PostgreSQL; the code here depends on the choice only to classify errors.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeGuard, TypeVar

from nbgrader.api import Gradebook, InvalidEntry
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError

from autograder.classroom.errors import CourseError, RaceError
from autograder.gradebook_access.disk import full_disk_message, is_full
from autograder.gradebook_access.reasons import database_error, database_message

Result = TypeVar("Result")
PATIENCE_SECONDS = 600.0
"""How long to wait for a database that is locked, restarting or away."""
FULL_SECONDS = 60.0
"""How long to wait for room on a disk: not long, because hardly anybody makes room before the run stops."""
PAUSE_SECONDS = 1.0
PERMANENT = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""SQLite's errors that waiting does not mend, such as a missing table or a file without write permission."""
MOST_RACES = 5
"""How often, for one submission, another grader may write the same new row first."""


@contextlib.contextmanager
def opened(db_url: str) -> Iterator[Gradebook]:
    """Open nbgrader's gradebook and close it at the block's end.

    Raises:
        CourseError: if the database cannot be used; its cause is the driver's own error.
    """
    try:
        with Gradebook(db_url) as gradebook:
            yield gradebook
    except (SQLAlchemyError, ModuleNotFoundError) as error:
        raise CourseError(_sentence(db_url, error)) from error
    except InvalidEntry as error:  # nbgrader raises it for any error of a commit, even a cut connection
        if not is_transient(trouble := database_error(error)):
            raise
        raise CourseError(_sentence(db_url, trouble)) from trouble


@contextlib.contextmanager
def known_gradebook(course: CourseDirectory) -> Iterator[Gradebook]:
    """Open nbgrader's gradebook to read it.

    Raises:
        CourseError: if it is missing or empty; nbgrader would create a new one and find nothing in it. The message
            speaks of a backup only if work has been graded.
    """
    url = make_url(course.db_url)
    missing = url.drivername.startswith("sqlite") and url.database is not None and not Path(url.database).exists()
    autograded = Path(course.format_path(course.autograded_directory, ".", "."))
    advice = "put a backup of it back, or run `autograder grade`, which makes one of what was handed in"
    if not any(autograded.glob("*/*/*.ipynb")):
        advice = "nothing is graded yet: collect what was handed in, then run `autograder grade`"
    where = url.render_as_string(hide_password=True)
    if missing:
        raise CourseError(f"the gradebook {where} is not there: {advice}")
    with opened(course.db_url) as gradebook:
        if not gradebook.assignments:
            raise CourseError(f"the gradebook {where} is empty: {advice}")
        yield gradebook


def _sentence(db_url: str, error: Exception) -> str:
    """Say what is wrong with the database, and what to do."""
    if isinstance(error, ArgumentError):  # not quoted: the address may hold a password
        return "the database's address in COURSE_DB_URL cannot be read: docs/postgresql.md shows how one looks"
    if isinstance(error, ModuleNotFoundError):
        return f"there is no driver for this database ({error}): install it with `pip install -e '.[postgres]'`"
    where = make_url(db_url).render_as_string(hide_password=True)
    what_to_do = "see that its folder is there, is yours to write and has room"
    if not db_url.startswith("sqlite"):
        what_to_do = "see that its server runs, that it exists and that ~/.pgpass holds its password"
    if isinstance(error, DBAPIError) and not is_transient(error):  # a table or a column that is missing
        what_to_do = "where an older nbgrader made it, run `nbgrader db upgrade`"
    return f"the gradebook {where} cannot be used ({database_message(error)}): {what_to_do}"


def is_unusable(error: BaseException | None) -> bool:
    """Tell whether SQLite cannot use its file at all, so that no submission can be written."""
    driver = getattr(error, "orig", None)
    return isinstance(driver, sqlite3.Error) and driver.sqlite_errorcode & 0xFF in PERMANENT[1:]


def is_transient(error: BaseException | None) -> TypeGuard[DBAPIError]:
    """Tell whether waiting may mend an error of the database: a lock, a restart, a cut connection."""
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlite3.Error):
        return isinstance(error, OperationalError) and error.orig.sqlite_errorcode & 0xFF not in PERMANENT
    return error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)


def retry(
    action: Callable[[], Result],
    say: Callable[[str], None],
    cause: Callable[[Exception], BaseException | None] = database_error,
    places: Mapping[Path, str] | None = None,
) -> Result:
    """Run an action on the database or the disk, and repeat it while either is temporarily unusable.

    Args:
        action: idempotent.
        say: called once with a sentence on why the run waits.
        cause: finds the database's error behind an exception that `action` raised.
        places: what is written to each folder, to say which disk is full.

    Raises:
        CourseError: if the database stays away or the disk stays full. Other exceptions of `action` pass through.
    """
    begun, failures, races = time.monotonic(), 0, 0
    full_since: float | None = None
    while True:
        try:
            return action()
        except Exception as error:
            trouble = cause(error)
            if full := next((one for one in (trouble, error) if is_full(one)), None):
                said = full_disk_message(full, places)
                if full_since is None:  # not since the action began, which may have run long
                    full_since = time.monotonic()
                    say(f"waiting {FULL_SECONDS:.0f} s for room: {said}")
                elif time.monotonic() - full_since > FULL_SECONDS:
                    raise CourseError(f"{said}, then repeat the command") from error
                time.sleep(PAUSE_SECONDS)
                continue
            if (isinstance(trouble, IntegrityError) or isinstance(error, RaceError)) and races < MOST_RACES:
                races += 1  # the row exists now, so the next attempt finds it
                continue
            if not is_transient(trouble):
                raise
            if time.monotonic() - begun > PATIENCE_SECONDS:
                raise CourseError(
                    f"the database does not answer again ({database_message(trouble)}): what is written stays, "
                    "and the same command goes on when it is there"
                ) from error
            failures += 1
            if failures == 1:
                continue  # an idle connection was cut: the next attempt opens a new one
            if failures == 2:
                say(f"waiting for the gradebook's database: {database_message(trouble)}")
            time.sleep(PAUSE_SECONDS)
