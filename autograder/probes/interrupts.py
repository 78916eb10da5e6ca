"""An interrupt that waits for an import: a module that is half there would fail everything that uses it afterwards."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

IMPORT_SYSTEM = "<frozen importlib._bootstrap>"
"""What Python's import system calls its file."""


def import_under_way(frame: FrameType | None, since: FrameType | None = None) -> FrameType | None:
    """The outermost import that a stack is in.

    Args:
        frame: the innermost frame of the stack.
        since: where to end the search; imports that this frame is itself part of do not count.

    Returns:
        The import's own frame; None where no import is under way.
    """
    found = None
    while frame is not None and frame is not since:
        if frame.f_code.co_filename == IMPORT_SYSTEM:
            found = frame
        frame = frame.f_back
    return found


def interrupt(number: int, frame: FrameType | None, since: FrameType | None = None) -> None:
    """A handler of signals that interrupts what runs, or an import only when it is complete.

    Args:
        number: the signal's.
        frame: where it came.
        since: as `import_under_way` takes it.

    Raises:
        KeyboardInterrupt: where no import is under way.
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
