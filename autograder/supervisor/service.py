"""The supervisor's loop: a request for a sandbox comes with its pipes, a process id goes back."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from autograder.supervisor import birth, gpu, huge_pages, privileges, syscalls, view
from autograder.supervisor.birth import Plan
from autograder.supervisor.control_groups import ControlGroups
from autograder.supervisor.limits import Limits
from autograder.supervisor.tiers import Tier

LONGEST_REQUEST = 1 << 16
FORKS_BEFORE_HUGE_PAGES = 20
"""A class is being graded, so that the cost of gathering memory comes back."""
USERS = 256
"""How many user ids sandboxes take turns in where they share one list of processes."""
OWNER_SECONDS = 5.0
"""How often the owner is looked for, beside the socket that ends with it."""


@dataclasses.dataclass(frozen=True)
class Choice:
    """What sandboxes get here.

    Attributes:
        tier: what surrounds each.
        user: the user id outside that they take; None: the supervisor's own.
        program: the compiled list of system calls; empty in the lowest tier.
        device: the type of device that they compute on.
        refused: why each better choice does not work, one line each.
    """

    tier: Tier
    user: int | None
    program: bytes
    device: str = "cpu"
    refused: tuple[str, ...] = ()


@dataclasses.dataclass
class Sandbox:
    """A sandbox as its supervisor sees it: never what runs in it."""

    name: str
    pid: int
    pidfd: int
    scratch: str


class Supervisor:
    """Makes sandboxes of one tier and clears up after them."""

    def __init__(self, choice: Choice, serve: Callable[[int, int], None], groups: ControlGroups) -> None:
        """
        Args:
            choice: what surrounds each sandbox; its view has been entered.
            serve: what a student's process does with its two descriptors.
            groups: where sums are limited.
        """
        self.tier, self._user, self._program = choice.tier, choice.user, choice.program
        self._serve, self._groups = serve, groups
        tier = choice.tier
        self._device = choice.device
        self._readable = ["/"] if tier is Tier.NAMESPACES else [*view.readable(), *view.ours(), *view.NAMES]
        if tier is not Tier.NAMESPACES and choice.device == gpu.CUDA:
            self._readable += [*gpu.readable(), *gpu.PROCESSES]
        self._in_use = privileges.address_space()
        self._processes = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        self._sandboxes: dict[int, Sandbox] = {}
        self._numbers = itertools.count()
        self._users = itertools.cycle(range(USERS))

    def start(self, limits: Limits, fds: tuple[int, int, int]) -> Sandbox:
        """Fork a sandbox that reads requests, writes replies, and tells how it ended on these descriptors."""
        number = next(self._numbers)
        if number == FORKS_BEFORE_HUGE_PAGES:
            huge_pages.gather()
        name = f"{os.getpid()}-{number}"
        plan = self._plan(limits)
        go, ready = os.pipe()
        pid = syscalls.fork_into(syscalls.ALL_NAMESPACES) if self.tier is Tier.NAMESPACES else os.fork()
        if pid == 0:
            try:
                os.close(ready)
                if os.read(go, 1):
                    birth.grow_up(plan, fds, 0 if self.tier is Tier.NAMESPACES else os.getppid())
            except BaseException:
                with contextlib.suppress(OSError):
                    os.write(birth.STATUS, json.dumps({"error": traceback.format_exc()[-3000:]}).encode())
            finally:
                os._exit(1)
        os.close(go)
        sandbox = Sandbox(name, pid, os.pidfd_open(pid), plan.scratch)
        self._sandboxes[sandbox.pidfd] = sandbox
        try:
            if self.tier is Tier.NAMESPACES:
                self._map_users(pid)
            self._groups.make(name, pid, limits)
            os.write(ready, b"1")
        finally:
            os.close(ready)
        return sandbox

    def _plan(self, limits: Limits) -> Plan:
        own = self.tier is Tier.NAMESPACES
        scratch = view.SCRATCH if own else tempfile.mkdtemp(prefix="sandbox-")
        user = None if self._user is None else view.USER if own else self._user + next(self._users)
        if user is not None and not own:
            os.chown(scratch, user, user)
        surroundings = (self._readable, self._in_use, self._program, self._serve, self._device)
        return Plan(self.tier, limits, scratch, user, *surroundings)

    def _map_users(self, pid: int) -> None:
        """Inside, the guard is user 0 and the student 1000, or both are 1000 where we have one user only."""
        user, group = os.getuid(), os.getgid()
        if self._user is None:
            self._write_process(f"{pid}/setgroups", "deny")
            users, groups = f"{view.USER} {user} 1", f"{view.USER} {group} 1"
        else:
            users = f"0 {user} 1\n{view.USER} {self._user} 1"
            groups = f"0 {group} 1\n{view.USER} {self._user} 1"
        self._write_process(f"{pid}/uid_map", users)
        self._write_process(f"{pid}/gid_map", groups)

    def _write_process(self, file: str, text: str) -> None:
        fd = os.open(file, os.O_WRONLY, dir_fd=self._processes)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)

    def clear(self, pidfd: int) -> None:
        """Reap a sandbox that has ended and remove what was its own."""
        sandbox = self._sandboxes.pop(pidfd)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(sandbox.pid, 0)
        os.close(pidfd)
        self._groups.remove(sandbox.name)
        if self.tier is not Tier.NAMESPACES:
            _remove(sandbox.scratch)

    def serve(self, owner: socket.socket) -> None:
        """Answer until the owner's end closes; then end all sandboxes."""
        parent = os.getppid()
        waiting = select.poll()
        waiting.register(owner.fileno(), select.POLLIN)
        try:
            while os.getppid() == parent:
                for fd, _ in waiting.poll(OWNER_SECONDS * 1000):
                    if fd != owner.fileno():
                        waiting.unregister(fd)
                        self.clear(fd)
                    elif (started := self._answer(owner)) is None:
                        return
                    elif started:
                        waiting.register(started, select.POLLIN)
        finally:
            self.end_all()

    def _answer(self, owner: socket.socket) -> int | None:
        """Serve one request; the new sandbox's pidfd, 0 where none could be made, None where the owner is gone."""
        try:
            request, fds, _, _ = socket.recv_fds(owner, LONGEST_REQUEST, 3)
        except ConnectionError:  # it left without having read what it was told: it judged, and ran nothing
            return None
        if not request:
            return None
        try:
            limits = Limits(**json.loads(request))
            sandbox = self.start(limits, (fds[0], fds[1], fds[2]))
            socket.send_fds(owner, [json.dumps({"pid": sandbox.pid}).encode()], [sandbox.pidfd])
            return sandbox.pidfd
        except ConnectionError:
            return None
        except Exception:
            with contextlib.suppress(ConnectionError):  # the next request, or its end, tells that the owner is gone
                owner.send(json.dumps({"error": traceback.format_exc()[-3000:]}).encode())
            return 0
        finally:
            for fd in fds:
                os.close(fd)

    def end_all(self) -> None:
        """Kill what still runs, and clear up."""
        for pidfd in list(self._sandboxes):
            number = signal.SIGKILL if self.tier is Tier.NAMESPACES else signal.SIGTERM
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(pidfd, number)
        for pidfd in list(self._sandboxes):
            if not select.select([pidfd], [], [], OWNER_SECONDS)[0]:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            self.clear(pidfd)


def _remove(scratch: str) -> None:
    """Remove a folder that hostile code has filled; nothing of ours follows a link or a depth in it."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(scratch, ignore_errors=True)
    if Path(scratch).exists():  # deeper than Python's recursion goes, or without permissions
        subprocess.run(["chmod", "-R", "u+rwX", scratch], check=False, stderr=subprocess.DEVNULL)
        subprocess.run(["rm", "-rf", scratch], check=False, stderr=subprocess.DEVNULL)
