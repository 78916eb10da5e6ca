"""Processes that a cell or an answer leaves running: killed with it, so that they cannot disturb the next."""

from __future__ import annotations

import contextlib
import os
import signal


class Leftovers:
    """The means to end leftover processes after each request, taken before any student code runs."""

    def __init__(self, own_namespace: bool) -> None:
        """
        Args:
            own_namespace: whether a signal to all processes stays in the sandbox. If not, `end` only ends forks of
                this process that return from the student's code; the guard ends all others with the notebook.
        """
        self._own_namespace, self._pid = own_namespace, os.getpid()
        # Kept here, because a cell may replace these functions in `os`.
        self._getpid, self._exit, self._kill, self._waitpid = os.getpid, os._exit, os.kill, os.waitpid

    def end(self) -> None:
        """Kill leftover processes; exit if this process is itself one, a fork that a cell made."""
        if self._getpid() != self._pid:
            self._exit(0)
        if self._own_namespace:
            with contextlib.suppress(ProcessLookupError):  # there are none
                self._kill(-1, signal.SIGKILL)  # all at once: a fork bomb would outrun a loop over its processes
            with contextlib.suppress(ChildProcessError):
                while True:
                    self._waitpid(-1, 0)
