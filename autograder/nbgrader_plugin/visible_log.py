"""Importing this makes what any program logs visible text, and nbgrader's tracebacks sentences.

nbgrader names students' files as they are: a line that a file's name begins by itself is indented, so that it cannot be
taken for another message. Where a conversion fails nbgrader logs the traceback; `--debug` still shows it.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from typing import Any

from autograder.visible_text import visible

CONTINUED = "\n    "
CONVERTERS = os.path.join("nbgrader", "converters")
TRACEBACK = "Traceback (most recent call last)"


class VisibleRecord(logging.LogRecord):
    """A record whose text neither acts in a terminal nor looks like two records."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if self.exc_info and self.exc_info[0] is not None:
            self.exc_text = visible("".join(traceback.format_exception(*self.exc_info)).rstrip())
        if isinstance(self.msg, str) and self.levelno == logging.ERROR and CONVERTERS in self.pathname:
            self.msg = _told(self.name, self.msg)

    def getMessage(self) -> str:  # noqa: N802  (logging's name)
        """The message with its arguments."""
        return visible(super().getMessage()).replace("\n", CONTINUED)


def _told(logger: str, message: str) -> str:
    """nbgrader's message, with the reason in place of a traceback or of a word about one."""
    from autograder.nbgrader_plugin import reasons  # here, because it loads what only conversions need

    if message.startswith(reasons.SEE_ABOVE):
        return reasons.NAMED_ABOVE
    error = sys.exc_info()[1]
    wanted = any(handler.level == logging.DEBUG for handler in logging.getLogger(logger).handlers)
    if not message.startswith(TRACEBACK) or error is None or wanted:
        return message
    return f"Not done: {reasons.reason(error)}"


logging.setLogRecordFactory(VisibleRecord)
