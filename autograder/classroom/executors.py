"""Where the work is done: any `concurrent.futures.Executor` that runs `work` on bytes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor

MakeExecutor = Callable[[], Executor]


def on_all_cores(workers: int | None = None) -> MakeExecutor:
    """Processes on this machine, each with a judge and a supervisor of its own.

    Args:
        workers: how many; one per core where left out.
    """
    count = workers or len(os.sched_getaffinity(0))
    # spawn: a fork would copy this process's database connections and threads.
    return lambda: ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_quiet)


def abandon(pool: Executor) -> None:
    """Leave an executor without waiting for what its processes still do."""
    pool.shutdown(wait=False, cancel_futures=True)
    for child in multiprocessing.active_children():
        child.kill()


def _quiet() -> None:
    """Ctrl-C is the coordinator's affair."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
