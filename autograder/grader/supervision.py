"""The grader's end of the supervisor, which is started at first use and shared by the whole process.

The workers of a class take over forks of one warm supervisor instead, because each warm-up costs seconds.
"""

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
from collections.abc import Iterable, Iterator
from typing import Any

from autograder.sandbox.limits import Limits
from autograder.supervisor import view
from autograder.supervisor.gpu import CUDA
from autograder.supervisor.requests import ANOTHER_OWNER, COMPILE, LONGEST
from autograder.supervisor.tiers import Tier, highest_wanted
from autograder.supervisor.warming import environment

WARM_SECONDS = 120.0
START_SECONDS = 30.0
LONGEST_ANSWER = 1 << 16
KEPT_VARIABLES = ("LD_LIBRARY_PATH", "ATEN_CPU_CAPABILITY")


class SupervisorError(RuntimeError):
    """Raised when the supervisor does not start or cannot make a sandbox, through no fault of a student."""


@dataclasses.dataclass(frozen=True)
class Facts:
    """The protection that the supervisor found to work on this machine.

    Attributes:
        tier: the tier of protection of each sandbox.
        user: the user id of student code outside the sandbox; None for the grader's own.
        refused: why each better choice does not work.
        memory_capped_in_total: whether all processes of a sandbox share one limit on memory.
    """

    tier: Tier
    user: int | None
    refused: tuple[str, ...]
    memory_capped_in_total: bool


class Supervisor:
    """A supervisor, running or still warming up, at the other end of a socket."""

    def __init__(self, end: socket.socket) -> None:
        self._lock = threading.Lock()
        self._socket = end
        self._facts: Facts | None = None
        self._compiled: set[tuple[str, str]] = set()

    @property
    def facts(self) -> Facts:
        """What the supervisor found; waits until it is warm.

        Raises:
            SupervisorError: if it does not start.
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
        return Facts(Tier(said["tier"]), said["user"], tuple(said["refused"]), said["memory_capped_in_total"])

    def start(self, limits: Limits, fds: list[int]) -> int:
        """Start a sandbox.

        Args:
            limits: the limits for its code.
            fds: the descriptors from which it reads requests and to which it writes replies and how it ended; then,
                if files lie beside the notebook, that of a file that holds them.

        Returns:
            A pidfd of its first process, which the caller closes.

        Raises:
            SupervisorError: if no sandbox could be made.
        """
        _ = self.facts  # waits until it is warm
        with self._lock:
            try:
                socket.send_fds(self._socket, [json.dumps(dataclasses.asdict(limits)).encode()], fds)
            except OSError as error:
                raise SupervisorError(f"the supervisor of the sandboxes is gone: {error}") from error
            return self._receive()[1][0]

    def _receive(self) -> tuple[dict[str, Any], list[int]]:
        try:
            said, fds, _, _ = socket.recv_fds(self._socket, LONGEST_ANSWER, 1)
        except OSError as error:
            self.close()  # a late answer would be taken for the next request's
            raise SupervisorError(f"the supervisor of the sandboxes does not answer: {error}") from error
        if not said:
            raise SupervisorError("the supervisor of the sandboxes ended; its last words are on stderr")
        answer = json.loads(said)
        if "error" in answer:
            raise SupervisorError(f"the supervisor of the sandboxes failed:\n{answer['error']}")
        return answer, fds

    def compile(self, sources: Iterable[tuple[str, str]]) -> None:
        """Have it compile sources, each in its mode, once for all sandboxes that start later.

        It knows no secrets, and what a student's process finds in memory came from it: only public sources.
        """
        with self._lock, contextlib.suppress(OSError):  # the next start says that it is gone
            for one in set(sources) - self._compiled:
                request = COMPILE + json.dumps(one).encode()
                if len(request) <= LONGEST:
                    socket.send_fds(self._socket, [request], [])
                self._compiled.add(one)

    def for_another_owner(self) -> socket.socket:
        """Have it fork a supervisor for another owner, and return that owner's socket; need not be warm yet."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            socket.send_fds(self._socket, [ANOTHER_OWNER], [theirs.fileno()])
        return ours

    @property
    def alive(self) -> bool:
        """Whether the supervisor is running and has not been left."""
        if self._socket.fileno() < 0:
            return False
        ended = select.poll()
        ended.register(self._socket, select.POLLHUP)
        return not ended.poll(0)

    def close(self) -> None:
        """Let the supervisor end its sandboxes and exit."""
        self._socket.close()


class StartedSupervisor(Supervisor):
    """A supervisor that this process starts."""

    def __init__(self, wanted: Tier, device: str) -> None:
        """
        Args:
            wanted: the highest tier for its sandboxes.
            device: the type of device for their computations.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        super().__init__(ours)
        self._home = tempfile.TemporaryDirectory(prefix="supervisor-", ignore_cleanup_errors=True)
        if os.getuid() == 0:  # in tier b other users reach their scratch folders through it
            os.chmod(self._home.name, 0o711)
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

    @property
    def alive(self) -> bool:
        """Whether the supervisor is running."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The supervisor's process id."""
        return self._process.pid

    def close(self) -> None:
        """Let the supervisor end its sandboxes and exit; kill it after ten seconds, or at once if it has none."""
        super().close()
        if self._facts is None:
            self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self._process.kill()
        self._process.wait()
        self._home.cleanup()


_lock = threading.Lock()
_running: dict[tuple[Tier, str], Supervisor] = {}


def supervisor(device: str = "cpu") -> Supervisor:
    """Return this process's supervisor for the highest tier that AUTOGRADER_SANDBOX_TIER allows; start it if needed.

    Args:
        device: the type of device for its sandboxes. CUDA's have a supervisor of their own, since they see more files.

    Raises:
        SupervisorError: if it does not start.
    """
    wanted = highest_wanted()
    key = wanted, device if device == CUDA else "cpu"
    with _lock:
        if key in _running and not _running[key].alive:
            _running.pop(key).close()
        if key not in _running:
            _running[key] = StartedSupervisor(*key)
        return _running[key]


def take_over(end: socket.socket) -> None:
    """Make the supervisor at the other end of a socket this process's own, for the CPU."""
    with _lock:
        _running[highest_wanted(), "cpu"] = Supervisor(end)


@atexit.register
def close_all() -> None:
    """End all supervisors of this process and their sandboxes."""
    with _lock:
        while _running:
            _running.popitem()[1].close()


@contextlib.contextmanager
def _in_memory(content: bytes) -> Iterator[list[int]]:
    """Yield the descriptor of a file without a name that holds the content; none if that is empty."""
    if not content:
        yield []
        return
    with open(os.memfd_create("files"), "wb") as file:
        file.write(content)
        file.flush()
        yield [file.fileno()]


class SupervisedProcess:
    """A sandbox as a fork of the supervisor."""

    def __init__(self, limits: Limits, requests: int, replies: int, device: str = "cpu", files: bytes = b"") -> None:
        read, write = os.pipe()
        try:
            started = supervisor(device)
            with _in_memory(files) as held:
                self._pidfd = started.start(limits, [requests, replies, write, *held])
        except SupervisorError:
            os.close(read)
            raise
        finally:
            os.close(write)
        self._ends_at_once = started.facts.tier is Tier.NAMESPACES
        self._end = read
        self._said = b""

    def interrupt(self) -> None:
        """Send SIGINT to the student's code, which may catch it."""
        self._signal(signal.SIGINT)

    def wait(self, seconds: float) -> dict[str, Any] | None:
        """Wait for the sandbox to end.

        Returns:
            How it ended: `status` in os.waitpid's encoding, or `error`; empty if it was ended from outside. None after
            a timeout.
        """
        deadline = time.monotonic() + seconds
        while select.select([self._end], [], [], max(0.0, deadline - time.monotonic()))[0]:
            chunk = os.read(self._end, 4096)
            if not chunk:
                end: dict[str, Any] = json.loads(self._said) if self._said else {}
                return end
            self._said += chunk
        return None

    def end(self) -> None:
        """Kill the sandbox with all its processes and wait until they are gone."""
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
