"""One grader at a time writes a submission: a class run, the formgrader's button and nbgrader's commands take turns.

A turn is a lock on the folder that was handed in, so it leaves no file, and ends with the process that holds it. Where
a file system cannot lock a folder there are no turns, and a class run repeats what another grader has upset.
"""

from __future__ import annotations

import contextlib
import fcntl
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.notebooks.opening import RefusedFileError, opened_folder

LONGEST_WAIT = 120.0
"""Seconds; after them a grader goes on without its turn, because the holder may have failed and forgotten it."""
PAUSE = 0.02


class Turns:
    """The turns that one grader holds.

    Args:
        submitted: the folder of all submissions.
    """

    def __init__(self, submitted: Path) -> None:
        self._submitted = submitted
        self._held = contextlib.ExitStack()

    def take(self, submissions: Iterable[tuple[str, ...]]) -> None:
        """Give back the turns held so far, and wait for those of other submissions.

        Args:
            submissions: their folders, as names on the way down from the folder of all submissions.
        """
        self.give_back()
        for parts in sorted(set(submissions)):  # in one order, so that two graders never wait for each other
            with contextlib.suppress(RefusedFileError, OSError):  # reading the submission reports the reason
                folder = self._held.enter_context(opened_folder(self._submitted, parts))
                _lock(folder)
                self._held.callback(fcntl.flock, folder, fcntl.LOCK_UN)  # also where a fork has a copy of it

    def give_back(self) -> None:
        """Give back all turns."""
        self._held.close()

    @contextlib.contextmanager
    def held(self, submissions: Iterable[tuple[str, ...]]) -> Iterator[None]:
        """Hold the turns of submissions in a block."""
        self.take(submissions)
        try:
            yield
        finally:
            self.give_back()


def _lock(folder: int) -> None:
    """Lock an open folder, or give up after `LONGEST_WAIT`.

    Raises:
        OSError: if the file system has no such locks.
    """
    deadline = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < deadline:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        _pause()


def _pause() -> None:
    time.sleep(PAUSE)
