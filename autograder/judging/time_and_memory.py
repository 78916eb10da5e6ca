"""Limits of time and memory for judging, because a student's answer decides how much there is to compare.

They are far above what an honest answer takes (milliseconds), so that no slow machine costs a student points.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import re
import sys
import threading
import time
from collections.abc import Iterator

from autograder.probes.interrupts import import_under_way

SECONDS = 10.0
"""CPU time for judging one task; wall time if the system has no CPU clock for threads."""
PATIENCE = 20
"""Limit on wall time, in multiples of that on CPU time: judging waits for nothing, but the machine may be busy."""
MEMORY = 1 << 30
"""Bytes that judging may allocate beyond what its process has, if the process is the grader's own."""
GRACE_SECONDS = 5.0
OUT_OF_TIME = f"Comparing this answer took more than {SECONDS:g} s and was stopped. Return only what the task asks for."
OUT_OF_MEMORY = "Comparing this answer took too much memory and was stopped. Return only what the task asks for."


class OverdueError(BaseException):
    """Raised inside a thread that exceeded its time; `except Exception` does not catch it."""


class Stopwatch:
    """The CPU time and wall time that the thread which makes it has spent since then."""

    def __init__(self) -> None:
        self._ident = threading.get_ident()
        clock = getattr(time, "pthread_getcpuclockid", None)
        self._clock = clock(self._ident) if clock is not None else None
        self._cpu, self._wall = self._used(), time.monotonic()

    def _used(self) -> float:
        return time.monotonic() if self._clock is None else time.clock_gettime(self._clock)

    def is_over(self, seconds: float = SECONDS) -> bool:
        """Return whether the thread has used up its time; other threads may call this while it is alive."""
        return self._used() - self._cpu > seconds or time.monotonic() - self._wall > PATIENCE * seconds

    def interrupt(self) -> None:
        """Raise OverdueError in the thread, unless it is importing a module, which would stay half initialised."""
        if import_under_way(sys._current_frames().get(self._ident)) is not None:
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._ident), ctypes.py_object(OverdueError))


@contextlib.contextmanager
def memory_limited(more: int | None) -> Iterator[None]:
    """Limit the memory that this process allocates inside; beyond it, Python and torch raise.

    Args:
        more: bytes beyond what the process has; None for no limit.
    """
    if more is None or sys.platform != "linux":
        yield
        return
    import resource  # Unix only, as is the next

    from autograder.supervisor.privileges import address_space

    _count_cards()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = address_space() + more
    within = wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)
    resource.setrlimit(resource.RLIMIT_AS, (within, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@functools.cache
def _count_cards() -> None:
    """Run a backward pass. A process's first one counts the GPUs, and their driver reserves more than any limit."""
    import torch  # here, because whoever reads the limits needs none of it

    torch.ones(1, requires_grad=True).backward(torch.ones(1))


def limit_reached_by(error: BaseException) -> str:
    """Return the sentence for the limit that an exception reports; empty if it reports none."""
    if isinstance(error, OverdueError):
        return OUT_OF_TIME
    refused = isinstance(error, RuntimeError) and re.search("can't allocate memory|not enough memory", str(error))
    return OUT_OF_MEMORY if refused or isinstance(error, MemoryError) else ""
