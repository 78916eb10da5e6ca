"""A Dask cluster as the place of the work: the same jobs as bytes, no shared file system.

What travels is a submission, the answers, the verdicts and this submission's own seed; for a network that others
can listen to, Dask's TLS (`tls://`, its certificates in Dask's own configuration) protects it.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import CancelledError, Executor

from distributed import Client
from distributed.client import ClosedClientError

from autograder.classroom.executors import PlaceError

LOOK_EVERY_SECONDS = 2.0


class Cluster:
    """The workers that a Dask scheduler has at the moment; they may come and go."""

    lost = (CancelledError, ClosedClientError)

    def __init__(self, address: str, seconds: float) -> None:
        """
        Args:
            address: of the scheduler, as "tcp://10.0.0.1:8786".
            seconds: how long to try to reach it, at the start and when it was lost.
        """
        self.address, self.seconds = address, seconds
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the run says itself what was lost
        self.when_lost = f"the scheduler at {address} went away: trying to reach it for {seconds:.0f} s"
        self._client: Client | None = None
        self._workers: dict[str, int] = {}
        self._looked = float("-inf")

    def open(self) -> Executor:
        """An executor on all workers. A job that a worker took along when it ended goes to another."""
        try:
            self._client = Client(self.address, timeout=self.seconds, set_as_default=False)
        except (OSError, ValueError) as error:
            raise PlaceError(
                f"no Dask scheduler answers at {self.address} ({error}): start `dask scheduler`, and give the "
                "address that it prints"
            ) from error
        return self._client.get_executor(pure=False)

    def leave(self, executor: Executor) -> None:
        """Cancel what is not done, and go."""
        client, self._client = self._client, None
        client.close(timeout=5)

    def capacity(self) -> int:
        """One job for each worker: a judge needs a process of its own."""
        return max(1, len(self._look()))

    def complaint(self) -> str:
        """That there is nobody."""
        if self._look():
            return ""
        return f"the scheduler at {self.address} has no workers: start some with `dask worker {self.address}`"

    def _look(self) -> dict[str, int]:
        """The workers' addresses, as of a moment ago."""
        if self._client is not None and time.monotonic() - self._looked > LOOK_EVERY_SECONDS:
            self._looked = time.monotonic()
            try:
                self._workers = self._client.nthreads()
            except (OSError, *self.lost):  # the jobs will say so
                self._workers = {}
        return self._workers
