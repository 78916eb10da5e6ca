"""Interrupts that wait for an import to end: a half-imported module would break everything that uses it later."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

IMPORT_SYSTEM = "<frozen importlib._bootstrap>"
"""The file name that frames of Python's import system have."""


def import_under_way(frame: FrameType | None, since: FrameType | None = None) -> FrameType | None:
    """Return the frame of the outermost import in a call stack; None if no import is under way.

    Args:
        frame: the innermost frame of the stack.
        since: the frame at which the search ends; imports that called it do not count.
    """
    found = None
    while frame is not None and frame is not since:
        if frame.f_code.co_filename == IMPORT_SYSTEM:
            found = frame
        frame = frame.f_back
    return found


def interrupt(number: int, frame: FrameType | None, since: FrameType | None = None) -> None:
    """Handle a signal by interrupting the running code, after the import that is under way if there is one.

    Args:
        number: the signal's number.
        frame: the frame that was interrupted.
        since: the frame at which the search for an import ends; see `import_under_way`.

    Raises:
        KeyboardInterrupt: if no import is under way.
    """
    importing = import_under_way(frame, since)
    if importing is None:
        raise KeyboardInterrupt
    before = sys.getprofile()

    def end(ended: FrameType, event: str, given: Any) -> None:
        if ended is importing and event == "return":
            sys.setprofile(before)
            raise KeyboardInterrupt

    sys.setprofile(end)
