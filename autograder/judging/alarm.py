"""A timeout for code that runs in this very process: the notebook's own."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from autograder.probes.interrupts import import_under_way, interrupt

TICK = 0.05
"""Seconds between two looks at the clock."""


class Alarm:
    """A `with` block that interrupts the main thread, as Ctrl-C would, when it has taken too long.

    Imports do not count and are never interrupted: how long one takes depends on the machine's disk. Outside the main
    thread, the only one that can be interrupted, there is no timeout.

    Attributes:
        rang: whether the block reached its timeout.
    """

    def __init__(self, seconds: float) -> None:
        self.rang = False
        self._seconds = seconds
        self._over = False
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._begun: FrameType | None = None
        self._before: Callable[[int, FrameType | None], Any] | int | signal.Handlers | None = None

    def __enter__(self) -> Alarm:
        if threading.current_thread() is threading.main_thread():
            self._begun = sys._getframe(1)
            self._before = signal.signal(signal.SIGINT, self._interrupted)
            threading.Thread(target=self._count, args=(threading.get_ident(),), daemon=True).start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            with self._lock:  # an alarm that rings at the last moment still interrupts inside the `with` block
                self._over = True
        finally:
            self._over = True
            self._ended.set()
            if self._before is not None:
                signal.signal(signal.SIGINT, self._before)
            self._begun = None

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        """Pass Ctrl-C on to the previous handler; handle the alarm's own interrupt, which waits for imports."""
        if self.rang:
            interrupt(number, frame, self._begun)
        elif callable(self._before):
            self._before(number, frame)

    def _count(self, main: int) -> None:
        left, before = self._seconds, time.monotonic()
        while not self._ended.wait(min(max(left, 0.0), TICK)):
            now = time.monotonic()
            if import_under_way(sys._current_frames().get(main), self._begun) is None:
                left -= now - before
            before = now
            if left <= 0:
                return self._ring()
        return None

    def _ring(self) -> None:
        with self._lock:
            if not self._over:
                self.rang = True
                _thread.interrupt_main()
