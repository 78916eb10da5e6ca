"""Why something could not be done, in a sentence with what to do, from the exception that stood in the way.

nbgrader logs a traceback, and at the end asks to see "the above traceback", which a class run or the formgrader
never showed.
"""

from __future__ import annotations

import getpass
import traceback
from pathlib import Path

from nbgrader.converters.base import NbGraderException
from sqlalchemy.exc import SQLAlchemyError
from traitlets import TraitError

from autograder.nbgrader_plugin.disk import is_full, room
from autograder.sharing import HOW

SEE_ABOVE = "Please see the the above traceback"
"""nbgrader's words."""
HAVE_ACCESS = "see that its file or server is there and yours to write"
NAMED_ABOVE = "What could not be converted is named above, with its reason."


def reason(error: BaseException) -> str:
    """Say what went wrong and what to do about it.

    Args:
        error: what was raised.
    """
    if is_full(error):
        return f"{room(error)}, then repeat the command"
    trouble = database_error(error)
    if trouble is not None:
        what_to_do = "wait for the program that holds its lock" if "locked" in told(trouble) else HAVE_ACCESS
        return f"the database refused it ({told(trouble)}): {what_to_do}, then repeat the command"
    if isinstance(error, PermissionError):
        return f"{error.filename or 'a file'} is not open to {_user()} ({error.strerror}): {HOW}"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}: see to that file or folder, then repeat the command"
    if isinstance(error, TraitError):
        return f"a setting cannot be used ({error}): correct it in settings.py in the gradebook's folder"
    if isinstance(error, NbGraderException) or type(error).__module__.startswith("autograder."):
        return str(error)
    return f"a defect of the grader, please report it: {_where(error)}"


def database_error(error: BaseException | None) -> SQLAlchemyError | None:
    """Find the database's error behind another one; nbgrader does not always name it as the cause."""
    while error is not None and not isinstance(error, SQLAlchemyError):
        error = error.__cause__ or error.__context__
    return error


def told(error: BaseException) -> str:
    """The first line of what the database said."""
    return next(iter(str(getattr(error, "orig", None) or error).splitlines()), type(error).__name__).strip()


def _where(error: BaseException) -> str:
    """The exception's last line, and where it was raised."""
    last = (str(error).strip().splitlines() or [""])[-1]  # the grader process sends its whole traceback
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {last}{place}" if last else f"{type(error).__name__}{place}"


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "you"
