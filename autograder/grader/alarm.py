"""A limit on time for code that runs in this very process: the notebook's own."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from types import FrameType, TracebackType

from autograder.probes.interrupts import import_under_way, interrupt

TICK = 0.05
"""How often the clock looks, in seconds."""


class Alarm:
    """Interrupts the main thread, as the keyboard would, when a `with` block has taken too long.

    Imports take no time on this clock and are never cut short: how long one takes depends on the machine's disk.
    Outside of the main thread, which alone can be interrupted, there is no limit.

    Attributes:
        rang: whether the time was over before the block was.
    """

    def __init__(self, seconds: float) -> None:
        self.rang = False
        self._seconds = seconds
        self._over = False
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._begun: FrameType | None = None
        self._before: object = None

    def __enter__(self) -> Alarm:
        if threading.current_thread() is threading.main_thread():
            self._begun = sys._getframe(1)
            self._before = signal.signal(signal.SIGINT, self._interrupted)
            threading.Thread(target=self._count, args=(threading.get_ident(),), daemon=True).start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            with self._lock:  # an alarm that rings at the last moment still interrupts inside this block
                self._over = True
        finally:
            self._over = True
            self._ended.set()
            if self._before is not None:
                signal.signal(signal.SIGINT, self._before)
            self._begun = None

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        """The keyboard's interrupt goes where it would have gone; the alarm's waits for imports."""
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
