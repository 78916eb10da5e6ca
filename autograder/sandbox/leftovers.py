"""The processes that a cell or an answer leaves running: they end with it, so that the next one meets none."""

from __future__ import annotations

import contextlib
import os
import signal


class Leftovers:
    """What is to end after each request, known before any student code."""

    def __init__(self, own_namespace: bool) -> None:
        """
        Args:
            own_namespace: whether signals to everybody stay in the sandbox. Elsewhere only copies of this process
                that have come back from the student's code end here, and its guard ends the others with the notebook.
        """
        self._own_namespace, self._pid = own_namespace, os.getpid()
        # A cell may put its own functions in their place.
        self._getpid, self._exit, self._kill, self._waitpid = os.getpid, os._exit, os.kill, os.waitpid

    def end(self) -> None:
        """End them. A fork of the student's that has got here is one of them: it has no reply to give."""
        if self._getpid() != self._pid:
            self._exit(0)
        if self._own_namespace:
            with contextlib.suppress(ProcessLookupError):  # there was none
                self._kill(-1, signal.SIGKILL)  # at one stroke: a fork bomb would outrun a list of its processes
            with contextlib.suppress(ChildProcessError):
                while True:
                    self._waitpid(-1, 0)
