"""Where the work is done: a place that opens `concurrent.futures.Executor`s, which run `work` on bytes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Protocol

WORKER = "autograder.classroom.worker"


def work(raw: bytes) -> bytes:
    """`worker.work`, imported where it runs: it brings torch and pytest along, which the coordinator never loads."""
    from autograder.classroom import worker

    return worker.work(raw)


class Place(Protocol):
    """Where a class run has its work done.

    Attributes:
        lost: what an executor or a future of it raises when its processes were ended from outside.
        when_lost: what a person is told then.
    """

    lost: tuple[type[Exception], ...]
    when_lost: str

    def open(self) -> Executor:
        """A new executor.

        Raises:
            PlaceError: where there is none to be had.
        """

    def leave(self, executor: Executor) -> None:
        """Close it without waiting for what it still does."""

    def capacity(self) -> int:
        """How many jobs are worked on at a time, just now; at least one."""

    def complaint(self) -> str:
        """Why nothing comes back, where nobody works; else empty."""


class PlaceError(Exception):
    """The work cannot be done there; the message says what to do."""


class Cores:
    """Processes on this machine, each with a judge and a supervisor of its own."""

    lost = (BrokenExecutor,)
    when_lost = "a worker process was ended from outside: starting others"

    def __init__(self, workers: int | None = None) -> None:
        """
        Args:
            workers: how many; one per core where left out.
        """
        self.workers = workers or len(os.sched_getaffinity(0))

    def open(self) -> ProcessPoolExecutor:
        """A pool of such processes."""
        return ProcessPoolExecutor(self.workers, _fresh_processes(), initializer=_begin)

    def leave(self, executor: Executor) -> None:
        """End its processes."""
        executor.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.kill()

    def capacity(self) -> int:
        """As many as there are processes."""
        return self.workers

    def complaint(self) -> str:
        """None: where a process ends, its pool is lost."""
        return ""


def _fresh_processes() -> multiprocessing.context.BaseContext:
    """Processes without this one's database connections and threads, all from one import of the worker's module."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([WORKER])
    return context


def _begin() -> None:
    """Ctrl-C is the coordinator's affair, its death ours; a sandbox is wanted soon, so the supervisor warms up."""
    gc.freeze()  # a collection would write to every object that was imported, and so copy the pages that are shared
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_coordinator, daemon=True).start()
    if sys.platform == "linux":
        from autograder.grader.supervision import supervisor

        supervisor()


def _end_with_the_coordinator() -> None:
    """A pool's processes wait for work that a killed coordinator never sends."""
    wait([multiprocessing.parent_process().sentinel])
    os._exit(1)
