"""A Dask cluster as the backend of a class run: the same jobs as bytes, without a shared file system.

A job carries the submission and its own seed, and brings back answers and verdicts. On a network that others can
listen to, Dask's TLS protects them (`tls://`, with certificates in Dask's own configuration).
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import CancelledError, Executor

from distributed import Client, Security
from distributed.client import ClosedClientError
from distributed.comm.core import connect

from autograder.classroom.executors import BackendError

LOOK_EVERY_SECONDS = 2.0


class Cluster:
    """The present workers of a Dask scheduler, which may come and go."""

    lost: tuple[type[Exception], ...] = (CancelledError, ClosedClientError)

    def __init__(self, address: str, seconds: float) -> None:
        """
        Args:
            address: the scheduler's, such as "tcp://10.0.0.1:8786".
            seconds: how long to try to reach the scheduler, at the start and after it was lost.
        """
        self.address, self.seconds = address, seconds
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the run reports a lost scheduler itself
        self.when_lost = f"the scheduler at {address} went away: trying to reach it for {seconds:.0f} s"
        self._client: Client | None = None
        self._workers: dict[str, int] = {}
        self._looked = float("-inf")

    def open(self) -> Executor:
        """Return an executor on all workers; Dask hands the jobs of a worker that ended to another one."""
        try:
            asyncio.run(self._knock())  # first, because a Client that cannot connect prints a traceback when it goes
            self._client = Client(self.address, timeout=self.seconds, set_as_default=False)
        except (TypeError, RuntimeError) as error:  # without certificates; where Dask may connect with TLS alone
            raise BackendError(
                f"Dask is not configured for {self.address} ({error}): give it its certificates, as "
                "https://distributed.dask.org/en/stable/tls.html says"
            ) from error
        except (OSError, ValueError) as error:
            raise BackendError(
                f"no Dask scheduler answers at {self.address} ({error}): start `dask scheduler`, and give the "
                "address that it prints"
            ) from error
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    async def _knock(self) -> None:
        """Connect to the scheduler, as Dask's own configuration says, and hang up."""
        arguments = Security().get_connection_args("client")
        comm = await connect(self.address, timeout=self.seconds, **arguments)
        await comm.close()

    def leave(self, executor: Executor) -> None:
        """Cancel the unfinished jobs and disconnect from the scheduler."""
        client, self._client = self._client, None
        if client is not None:
            client.close(timeout=5)

    def capacity(self) -> int:
        """Return the number of workers, at least 1; each runs one job at a time, as a judge needs its own process."""
        return max(1, len(self._look()))

    def why_waiting(self) -> str:
        """Explain that the scheduler has no workers; empty if it has some."""
        if self._look():
            return ""
        return f"the scheduler at {self.address} has no workers: start some with `dask worker {self.address}`"

    def _look(self) -> dict[str, int]:
        """Return the number of threads by worker address, asked at most every `LOOK_EVERY_SECONDS`."""
        if self._client is not None and time.monotonic() - self._looked > LOOK_EVERY_SECONDS:
            self._looked = time.monotonic()
            try:
                self._workers = self._client.nthreads()
            except (OSError, CancelledError, ClosedClientError):  # the next job reports it
                self._workers = {}
        return self._workers
