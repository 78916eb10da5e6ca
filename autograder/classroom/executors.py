"""Backends of a class run: each opens a `concurrent.futures.Executor` that runs `work` on bytes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from multiprocessing.connection import wait
from multiprocessing.sharedctypes import Synchronized
from typing import Protocol

from autograder.supervisor.tiers import highest_wanted
from autograder.tasks.folders import CHOSEN_BY, COURSE

WORKER = "autograder.classroom.worker"


def work(raw: bytes) -> bytes:
    """Call `worker.work`, imported here because it loads torch and pytest, which the coordinator does without."""
    from autograder.classroom import worker

    return worker.work(raw)


class Backend(Protocol):
    """The processes or machines that run the jobs of a class run.

    Attributes:
        lost: exceptions of an executor or its futures that mean its processes were ended from outside.
        when_lost: the sentence that reports it.
    """

    lost: tuple[type[Exception], ...]
    when_lost: str

    def open(self) -> Executor:
        """Return a new executor.

        Raises:
            BackendError: if there is none.
        """

    def leave(self, executor: Executor) -> None:
        """Close an executor without waiting for its unfinished jobs."""

    def capacity(self) -> int:
        """Return how many jobs run at a time at present; at least 1."""

    def why_waiting(self) -> str:
        """Explain why no job can finish, if there are no workers; else empty."""


class BackendError(Exception):
    """A backend cannot be used; the message says what to do."""


class Cores:
    """A pool of processes on this machine, each with its own judge and supervisor."""

    lost: tuple[type[Exception], ...] = (BrokenExecutor,)
    when_lost = "a worker process was killed from outside: starting others"

    def __init__(self, workers: int | None = None) -> None:
        """
        Args:
            workers: number of processes; one per core if left out.
        """
        self.workers = workers or len(os.sched_getaffinity(0))

    def open(self) -> ProcessPoolExecutor:
        """Return a new pool of worker processes."""
        processes = _fresh_processes()
        if sys.platform != "linux":
            return ProcessPoolExecutor(self.workers, processes, initializer=_begin, initargs=(_course(),))
        return _Pool(self.workers, processes)

    def leave(self, executor: Executor) -> None:
        """Close the pool and kill its processes."""
        executor.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.kill()

    def capacity(self) -> int:
        """Return the number of processes."""
        return self.workers

    def why_waiting(self) -> str:
        """Return nothing: if a process ends, its whole pool is lost."""
        return ""


def _fresh_processes() -> multiprocessing.context.BaseContext:
    """Return a start method whose processes inherit no threads or connections, and share one import of the worker."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([WORKER])
    return context


class _Pool(ProcessPoolExecutor):
    """A pool whose workers' supervisors are forks of one, which warms up while the workers import."""

    def __init__(self, workers: int, processes: multiprocessing.context.BaseContext) -> None:
        from autograder.grader.supervision import StartedSupervisor  # here, because elsewhere there is none

        self._warm = StartedSupervisor(highest_wanted(), "cpu")
        self._ends = [self._warm.for_another_owner() for _ in range(workers)]
        numbers = processes.Value("i", 0)
        super().__init__(workers, processes, initializer=_begin, initargs=(_course(), self._ends, numbers))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers, then the supervisors."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        for end in self._ends:
            end.close()
        self._warm.close()


def _course() -> dict[str, str | None]:
    """Return which course the environment names; workers of a process started earlier may have another environment."""
    return {name: os.environ.get(name) for name in (COURSE, CHOSEN_BY)}


def _begin(
    course: Mapping[str, str | None],
    ends: Sequence[socket.socket] = (),
    numbers: Synchronized[int] | None = None,
) -> None:
    """Prepare a worker process: ignore SIGINT, exit with the coordinator, and take over a supervisor.

    Args:
        course: which course the coordinator's environment names.
        ends: sockets to supervisors, one for each worker.
        numbers: how many workers have taken one.
    """
    gc.freeze()  # a collection would write to every imported object and so copy the shared memory pages
    for name, named in course.items():
        os.environ.pop(name, None)
        if named is not None:
            os.environ[name] = named
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_coordinator, daemon=True).start()
    if numbers is not None:
        from autograder.grader.supervision import take_over  # here, because the coordinator needs none

        with numbers.get_lock():
            own = numbers.value
            numbers.value += 1
        for other in (*ends[:own], *ends[own + 1 :]):
            other.close()  # so that only its owner holds a supervisor
        take_over(ends[own])


def _end_with_the_coordinator() -> None:
    """Exit when the coordinator does, because a pool's processes would wait for its jobs for ever."""
    if (coordinator := multiprocessing.parent_process()) is not None:
        wait([coordinator.sentinel])
    os._exit(1)
