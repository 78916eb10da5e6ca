"""The grader's end of the supervisor: one for the whole process, started when first needed."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from autograder.supervisor import view
from autograder.supervisor.gpu import CUDA
from autograder.supervisor.limits import Limits
from autograder.supervisor.tiers import Tier, highest_wanted
from autograder.supervisor.warming import environment

WARM_SECONDS = 120.0
START_SECONDS = 30.0
LONGEST_ANSWER = 1 << 16
KEPT_VARIABLES = ("LD_LIBRARY_PATH", "ATEN_CPU_CAPABILITY")


class SupervisorError(RuntimeError):
    """The supervisor does not start, or cannot make a sandbox; no fault of a student's."""


@dataclasses.dataclass(frozen=True)
class Facts:
    """What the supervisor found here.

    Attributes:
        tier: what surrounds each sandbox.
        user: the user id that student code has outside; None: the grader's own.
        refused: why each better choice does not work.
        sums: whether memory is limited in sum.
    """

    tier: Tier
    user: int | None
    refused: tuple[str, ...]
    sums: bool


class Supervisor:
    """A supervisor, running or still warming up."""

    def __init__(self, wanted: Tier, device: str) -> None:
        """
        Args:
            wanted: the highest tier of its sandboxes.
            device: the type of device that they compute on.
        """
        self._lock = threading.Lock()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._home = tempfile.TemporaryDirectory(prefix="supervisor-", ignore_cleanup_errors=True)
        variables = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        variables |= environment(device) | {"PATH": view.search_path()}
        variables |= dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR"), self._home.name)
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-I",
                    "-m",
                    "autograder.supervisor",
                    str(theirs.fileno()),
                    wanted,
                    self._home.name,
                    device,
                ],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd="/",
                env=variables,
                start_new_session=True,
            )
        self._socket = ours
        self._facts: Facts | None = None

    @property
    def facts(self) -> Facts:
        """What it found; waits until it is warm.

        Raises:
            SupervisorError: where it does not start.
        """
        with self._lock:
            if self._facts is None:
                self._facts = self._first_words()
            return self._facts

    def _first_words(self) -> Facts:
        try:
            self._socket.settimeout(WARM_SECONDS)
            said, _ = self._receive()
        except SupervisorError:
            self.close()
            raise
        self._socket.settimeout(START_SECONDS)
        return Facts(Tier(said["tier"]), said["user"], tuple(said["refused"]), said["sums"])

    def start(self, limits: Limits, fds: list[int]) -> int:
        """A new sandbox on these descriptors: requests to read, replies and its end to write.

        Returns:
            A pidfd of its first process, which the caller closes.

        Raises:
            SupervisorError: where none could be made.
        """
        _ = self.facts  # waits until it is warm
        with self._lock:
            try:
                socket.send_fds(self._socket, [json.dumps(dataclasses.asdict(limits)).encode()], fds)
            except OSError as error:
                raise SupervisorError(f"the supervisor of the sandboxes is gone: {error}") from error
            return self._receive()[1][0]

    def _receive(self) -> tuple[dict, list[int]]:
        try:
            said, fds, _, _ = socket.recv_fds(self._socket, LONGEST_ANSWER, 1)
        except OSError as error:
            raise SupervisorError(f"the supervisor of the sandboxes does not answer: {error}") from error
        if not said:
            raise SupervisorError("the supervisor of the sandboxes ended; its last words are on stderr")
        answer = json.loads(said)
        if "error" in answer:
            raise SupervisorError(f"the supervisor of the sandboxes failed:\n{answer['error']}")
        return answer, fds

    @property
    def alive(self) -> bool:
        """Whether it can make sandboxes."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def close(self) -> None:
        """Let it end its sandboxes and itself."""
        self._socket.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self._process.kill()
        self._process.wait()
        self._home.cleanup()


_lock = threading.Lock()
_running: dict[tuple[Tier, str], Supervisor] = {}


def supervisor(device: str = "cpu") -> Supervisor:
    """The supervisor of this process for the tier that AUTOGRADER_SANDBOX_TIER allows; started if need be.

    Args:
        device: the type of device that its sandboxes compute on. Only CUDA's see more than others do.

    Raises:
        SupervisorError: where it does not start.
    """
    wanted = highest_wanted()
    key = wanted, device if device == CUDA else "cpu"
    with _lock:
        if key in _running and not _running[key].alive:
            _running.pop(key).close()
        if key not in _running:
            _running[key] = Supervisor(*key)
        return _running[key]


@atexit.register
def close_all() -> None:
    """End all supervisors of this process, and with them their sandboxes."""
    with _lock:
        while _running:
            _running.popitem()[1].close()


class SupervisedProcess:
    """A sandbox that the supervisor forked."""

    def __init__(self, limits: Limits, requests: int, replies: int, device: str = "cpu") -> None:
        read, write = os.pipe()
        try:
            started = supervisor(device)
            self._pidfd = started.start(limits, [requests, replies, write])
        except SupervisorError:
            os.close(read)
            raise
        finally:
            os.close(write)
        self._ends_at_once = started.facts.tier is Tier.NAMESPACES
        self._end = read
        self._said = b""

    def interrupt(self) -> None:
        """Stop what the student's code is doing, if it lets itself be stopped."""
        self._signal(signal.SIGINT)

    def wait(self, seconds: float) -> dict | None:
        """How it ended: `status` as os.waitpid has it, or `error`; empty where it was ended from outside.

        Returns:
            None where it has not ended in that time.
        """
        deadline = time.monotonic() + seconds
        while select.select([self._end], [], [], max(0.0, deadline - time.monotonic()))[0]:
            chunk = os.read(self._end, 4096)
            if not chunk:
                return json.loads(self._said) if self._said else {}
            self._said += chunk
        return None

    def end(self) -> None:
        """End it with all that it started, and wait until nothing of it is left."""
        if not self._ends_at_once:
            self._signal(signal.SIGTERM)
            self.wait(5.0)
        self._signal(signal.SIGKILL)
        self.wait(5.0)
        os.close(self._end)
        os.close(self._pidfd)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, number)
