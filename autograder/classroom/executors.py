"""Where the work is done: any `concurrent.futures.Executor` that runs `work` on bytes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.connection import wait

MakeExecutor = Callable[[], Executor]
WORKER = "autograder.classroom.worker"


def work(raw: bytes) -> bytes:
    """`worker.work`, imported where it runs: it brings torch and pytest along, which the coordinator never loads."""
    from autograder.classroom import worker

    return worker.work(raw)


def on_all_cores(workers: int | None = None) -> MakeExecutor:
    """Processes on this machine, each with a judge and a supervisor of its own.

    Args:
        workers: how many; one per core where left out.
    """
    count = workers or len(os.sched_getaffinity(0))
    return lambda: ProcessPoolExecutor(count, _fresh_processes(), initializer=_begin)


def _fresh_processes() -> multiprocessing.context.BaseContext:
    """Processes without this one's database connections and threads, all from one import of the worker's module."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([WORKER])
    return context


def abandon(pool: Executor) -> None:
    """Leave an executor without waiting for what its processes still do."""
    pool.shutdown(wait=False, cancel_futures=True)
    for child in multiprocessing.active_children():
        child.kill()


def _begin() -> None:
    """Ctrl-C is the coordinator's affair, its death ours; a sandbox is wanted soon, so the supervisor warms up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_coordinator, daemon=True).start()
    if sys.platform == "linux":
        from autograder.grader.supervision import supervisor

        supervisor()


def _end_with_the_coordinator() -> None:
    """A pool's processes wait for work that a killed coordinator never sends."""
    wait([multiprocessing.parent_process().sentinel])
    os._exit(1)
