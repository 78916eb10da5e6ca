"""Importing this makes what any program logs visible text: nbgrader names students' files as they are.

A line that a file's name begins by itself is indented, so that it cannot be taken for another message.
"""

from __future__ import annotations

import logging
import traceback
from typing import Any

from autograder.visible_text import visible

CONTINUED = "\n    "


class VisibleRecord(logging.LogRecord):
    """A record whose text neither acts in a terminal nor looks like two records."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if self.exc_info and self.exc_info[0] is not None:
            self.exc_text = visible("".join(traceback.format_exception(*self.exc_info)).rstrip())

    def getMessage(self) -> str:  # noqa: N802  (logging's name)
        """The message with its arguments."""
        return visible(super().getMessage()).replace("\n", CONTINUED)


logging.setLogRecordFactory(VisibleRecord)
