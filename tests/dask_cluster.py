"""A real Dask scheduler with workers on loopback, each in a process group and a folder of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from distributed import Client


class DaskCluster:
    """A scheduler, and workers that share no folder with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
        self._scheduler: subprocess.Popen | None = None
        self.workers: list[subprocess.Popen] = []

    def start_scheduler(self) -> None:
        """At the same address each time."""
        port = self.address.rpartition(":")[2]
        options = ["--host", "127.0.0.1", "--port", port, "--no-dashboard"]
        self._scheduler = self._start("distributed.cli.dask_scheduler", *options)

    def kill_scheduler(self) -> None:
        """As a lost machine would."""
        _kill(self._scheduler)

    def add_worker(self) -> None:
        """One more, with a nanny that would start it again."""
        options = ["--nthreads", "1", "--no-dashboard", "--death-timeout", "120"]
        self.workers.append(self._start("distributed.cli.dask_worker", self.address, *options))

    def kill_worker(self) -> None:
        """The oldest, with its nanny."""
        _kill(self.workers.pop(0))

    def wait_for_workers(self, count: int) -> None:
        """Until so many have registered."""
        with Client(self.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=60)

    def _start(self, module: str, *arguments: str) -> subprocess.Popen:
        own = self.folder / f"machine-{len(list(self.folder.iterdir()))}"
        own.mkdir()
        return subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=own,
            env=os.environ | {"HOME": str(own), "TMPDIR": str(own)},
            stdout=subprocess.DEVNULL,
            stderr=(own / "log").open("wb"),
            start_new_session=True,
        )

    def __enter__(self) -> DaskCluster:
        self.start_scheduler()
        return self

    def __exit__(self, *exception: object) -> None:
        for process in [*self.workers, self._scheduler]:
            _kill(process)


def _kill(process: subprocess.Popen) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(30)
