"""Hooks, installed on import, that make log messages visible text, and nbgrader's tracebacks sentences.

nbgrader logs the names of students' files unescaped, so further lines of a message are indented to keep a file's name
from imitating a message. A failed conversion logs a sentence in place of a traceback, which `--debug` still shows. A
command that ends at an unreadable time, or because the database cannot be used, prints a sentence too.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from types import TracebackType
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from autograder.times import NotATimeError
from autograder.visible_text import visible

CONTINUED = "\n    "
CONVERTERS = os.path.join("nbgrader", "converters")
TRACEBACK = "Traceback (most recent call last)"


class VisibleRecord(logging.LogRecord):
    """A log record whose text holds no terminal controls and cannot look like two records."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if self.exc_info and self.exc_info[0] is not None:
            self.exc_text = visible("".join(traceback.format_exception(*self.exc_info)).rstrip())
        if isinstance(self.msg, str) and self.levelno == logging.ERROR and CONVERTERS in self.pathname:
            self.msg = _told(self.name, self.msg)

    def getMessage(self) -> str:  # noqa: N802  (logging's name)
        """Return the message with its arguments, as visible text."""
        return visible(super().getMessage()).replace("\n", CONTINUED)


def _told(logger: str, message: str) -> str:
    """Return nbgrader's message, with the reason in place of a traceback or a reference to one."""
    from autograder.gradebook_access import reasons  # here, because it loads nbgrader

    if message.startswith(reasons.SEE_ABOVE):
        return reasons.NAMED_ABOVE
    error = sys.exc_info()[1]
    wanted = any(handler.level == logging.DEBUG for handler in logging.getLogger(logger).handlers)
    if not message.startswith(TRACEBACK) or error is None or wanted:
        return message
    return f"Not done: {reasons.reason(error)}"


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an unreadable time or an error of the database as a sentence; Python's hook for uncaught exceptions."""
    if isinstance(error, NotATimeError):
        print(f"nbgrader: {error}", file=sys.stderr)
    elif isinstance(error, SQLAlchemyError):
        from autograder.gradebook_access import reasons  # here, because it loads nbgrader

        print(f"nbgrader: {reasons.first_line(error)}", file=sys.stderr)
    else:
        usual(kind, error, trace)


usual, sys.excepthook = sys.excepthook, _tell
logging.setLogRecordFactory(VisibleRecord)
