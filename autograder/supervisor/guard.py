"""The guard, a sandbox's first process: forks the student's process, forwards interrupts and reports its end.

In a PID namespace it is process 1, so that everything in the sandbox ends with it. Elsewhere it adopts and kills
the processes that the student's process leaves behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn


def guard(student: Callable[[], None], status_fd: int, *, own_namespace: bool, prepare: Callable[[], None]) -> NoReturn:
    """Fork the student's process, watch over it, and end with it.

    Args:
        student: runs in the student's process once `prepare` has returned; it never returns.
        status_fd: the descriptor to which the student's wait status is written, as JSON.
        own_namespace: whether this is process 1 of a namespace, so that the kernel ends all others with it.
        prepare: gives up this process's privileges once the student's process exists.
    """
    ended = False
    pid = 0

    def interrupt(number: int, frame: object) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGINT)

    def end(number: int, frame: object) -> None:
        nonlocal ended
        ended = True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    prepared, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(tell)
            os.read(prepared, 1)
            os.close(prepared)
            student()
        finally:
            os._exit(1)
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, end)
    prepare()
    os.close(prepared)
    os.close(tell)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    status = _wait_for(pid)
    if not own_namespace:
        _end_all_others()
    with contextlib.suppress(OSError):
        os.write(status_fd, json.dumps({"status": status}).encode())
    os._exit(0)


def _wait_for(pid: int) -> int:
    """Reap every child that ends until this one does, and return its wait status."""
    while True:
        reaped, status = os.waitpid(-1, 0)
        if reaped == pid:
            return status


def _end_all_others() -> None:
    """Kill and reap adopted processes until none is left."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    while True:
        with contextlib.suppress(OSError):
            for child in children.read_text().split():
                with contextlib.suppress(OSError):
                    os.kill(int(child), signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
