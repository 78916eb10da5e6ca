"""What judging may use: a student's answer decides how much there is to compare, and so what it costs.

The limits are far above what an honest answer takes (milliseconds), so that no slow machine costs anybody points.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
import sys
import threading
import time
from collections.abc import Iterator

from autograder.probes.interrupts import import_under_way

SECONDS = 10.0
"""CPU time of judging one task; wall time where no clock counts a thread's."""
PATIENCE = 20
"""So many times as much wall time: judging waits for nothing, but the machine may be busy."""
MEMORY = 1 << 30
"""Bytes that judging may take beyond what its process has, where the process is the grader's own."""
GRACE_SECONDS = 5.0
OUT_OF_TIME = f"Comparing this answer took more than {SECONDS:g} s and was stopped. Return only what the task asks for."
OUT_OF_MEMORY = "Comparing this answer took too much memory and was stopped. Return only what the task asks for."


class OverdueError(BaseException):
    """Raised inside a thread whose time is over; no `except Exception` stops it."""


class Stopwatch:
    """The time that a thread, the one that makes it, has spent since `start`."""

    def __init__(self) -> None:
        self._ident = threading.get_ident()
        clock = getattr(time, "pthread_getcpuclockid", None)
        self._clock = clock(self._ident) if clock is not None else None
        self.start()

    def start(self) -> None:
        """Begin at zero."""
        self._cpu, self._wall = self._used(), time.monotonic()

    def _used(self) -> float:
        return time.monotonic() if self._clock is None else time.clock_gettime(self._clock)

    def is_over(self, seconds: float = SECONDS) -> bool:
        """Whether it has used up its time; asked by another thread while this one lives."""
        return self._used() - self._cpu > seconds or time.monotonic() - self._wall > PATIENCE * seconds

    def interrupt(self) -> None:
        """Raise OverdueError in it, unless it is importing a module, which would stay half made."""
        if import_under_way(sys._current_frames().get(self._ident)) is not None:
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._ident), ctypes.py_object(OverdueError))


@contextlib.contextmanager
def memory_limited(more: int | None) -> Iterator[None]:
    """Let this process have so many bytes more than it has; then Python and torch raise.

    Args:
        more: None for no limit, as in a process that belongs to somebody else.
    """
    if more is None or sys.platform != "linux":
        yield
        return
    import resource

    from autograder.supervisor.privileges import address_space

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = address_space() + more
    within = wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)
    resource.setrlimit(resource.RLIMIT_AS, (within, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def reached_by(error: BaseException) -> str:
    """Which limit an exception tells of, as a sentence; empty where it tells of none."""
    if isinstance(error, OverdueError):
        return OUT_OF_TIME
    refused = isinstance(error, RuntimeError) and re.search("can't allocate memory|not enough memory", str(error))
    return OUT_OF_MEMORY if refused or isinstance(error, MemoryError) else ""
