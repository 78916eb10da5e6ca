"""A limit on time for code that runs in this very process: the notebook's own."""

from __future__ import annotations

import _thread
import signal
import threading
from types import TracebackType


class Alarm:
    """Interrupts the main thread, as the keyboard would, when a `with` block has taken too long.

    Outside of the main thread, which alone can be interrupted, there is no limit.

    Attributes:
        rang: whether the time was over before the block was.
    """

    def __init__(self, seconds: float) -> None:
        self.rang = False
        self._over = self._deaf = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True

    def __enter__(self) -> Alarm:
        if threading.current_thread() is threading.main_thread():
            self._deaf = signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # as a shell's background jobs are
            if self._deaf:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            self._timer.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with self._lock:  # an alarm that rings at the last moment still interrupts inside this block
            self._over = True
        self._timer.cancel()
        if self._deaf:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _ring(self) -> None:
        with self._lock:
            if not self._over:
                self.rang = True
                _thread.interrupt_main()
