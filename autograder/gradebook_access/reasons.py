"""Exceptions as sentences for a person: what went wrong, and what to do about it.

nbgrader instead logs a traceback, and refers to "the above traceback" even in class runs and the formgrader, which
do not show one.
"""

from __future__ import annotations

import getpass
import traceback
from pathlib import Path

import nbgrader.preprocessors
from nbgrader.api import MissingEntry
from nbgrader.converters.base import NbGraderException
from sqlalchemy.exc import SQLAlchemyError
from traitlets import TraitError

from autograder.gradebook_access.disk import full_disk_message, is_full
from autograder.sharing import HOW
from autograder.visible_text import visible

SEE_ABOVE = "Please see the the above traceback"
"""The beginning of nbgrader's message at the end of a conversion that failed."""
HAVE_ACCESS = "see that its file or server is there and yours to write"
NAMED_ABOVE = "What could not be converted is named above, with its reason."


def reason(error: BaseException) -> str:
    """Say what went wrong and what to do about it, in one sentence."""
    if is_full(error):
        return f"{full_disk_message(error)}, then repeat the command"
    if isinstance(error, MissingEntry):
        return f"the gradebook does not know it ({error}): if an older one was put back, run `autograder grade` first"
    trouble = database_error(error)
    if trouble is not None:
        said = database_message(trouble)
        what_to_do = "wait for the program that holds its lock" if "locked" in said else HAVE_ACCESS
        return f"the database refused it ({said}): {what_to_do}, then repeat the command"
    if isinstance(error, PermissionError):
        return f"{error.filename or 'a file'} is not open to {_user()} ({error.strerror}): {HOW}"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}: see to that file or folder, then repeat the command"
    if isinstance(error, TraitError):
        return f"a setting cannot be used ({error}): correct it in settings.py in the gradebook's folder"
    if isinstance(error, NbGraderException) or type(error).__module__.startswith("autograder."):
        return str(error)
    if _is_nbgraders(error):
        return f"nbgrader refuses this notebook: {error}"
    return f"a defect of the grader, please report it: {_where(error)}"


def database_error(error: BaseException | None) -> SQLAlchemyError | None:
    """Find a database error in an exception's chain of causes and contexts: nbgrader does not always set the cause."""
    while error is not None and not isinstance(error, SQLAlchemyError):
        error = error.__cause__ or error.__context__
    return error


def database_message(error: BaseException) -> str:
    """Return the first line of a database error's own message."""
    return next(iter(str(getattr(error, "orig", None) or error).splitlines()), type(error).__name__).strip()


def first_line(error: BaseException) -> str:
    """Say what went wrong in one line, with invisible characters spelled out."""
    return visible(next(iter(reason(error).splitlines()), type(error).__name__), kept="")


def _is_nbgraders(error: BaseException) -> bool:
    """Tell whether one of nbgrader's own steps raised an exception, as on regions of hidden tests that do not end."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and Path(frames[-1].filename).parent == Path(nbgrader.preprocessors.__file__).parent


def _where(error: BaseException) -> str:
    """Return the type and last line of an exception, and the file and line where it was raised."""
    last = (str(error).strip().splitlines() or [""])[-1]  # the grader process sends its whole traceback
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {last}{place}" if last else f"{type(error).__name__}{place}"


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "you"
