"""The supervisor's loop: receive a request for a sandbox with its pipes, fork it, send back its process id.

A warm supervisor also forks itself for a further owner, which saves that owner the seconds of another warm-up.
"""

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
from collections.abc import Callable, Iterator
from pathlib import Path

from autograder.sandbox.limits import Limits
from autograder.supervisor import gpu, huge_pages, kernel_calls, privileges, spawn, view
from autograder.supervisor.control_groups import ControlGroups
from autograder.supervisor.requests import ANOTHER_OWNER, COMPILE, LONGEST, MOST_DESCRIPTORS, WARM
from autograder.supervisor.spawn import Plan
from autograder.supervisor.tiers import Tier

FORKS_BEFORE_HUGE_PAGES = 20
"""After so many forks a whole class is being graded, so that collapsing memory into huge pages pays off."""
USERS = 256
"""The number of user ids of sandboxes that share a PID namespace."""
USERS_OF_OWNER = 8
"""The number of these that an owner's sandboxes take in turn; those of other owners run at the same time."""
OWNER_SECONDS = 5.0
"""Seconds between checks that the owner lives, in case its socket stays open after it."""


@dataclasses.dataclass(frozen=True)
class Choice:
    """The protection that sandboxes get on this machine.

    Attributes:
        tier: the tier of each sandbox.
        user: the user id that they have outside; None: the supervisor's own.
        program: the compiled seccomp filter; empty in the lowest tier.
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
    """A running sandbox, as its supervisor knows it."""

    name: str
    pid: int
    pidfd: int
    scratch: str


class Supervisor:
    """A process that forks sandboxes of one tier and cleans up after them."""

    def __init__(
        self,
        choice: Choice,
        serve: Callable[[int, int], None],
        groups: ControlGroups,
        facts: bytes = b"{}",
        compile_once: Callable[[str, str], object] = lambda source, mode: None,
        warm_package: Callable[[str], object] = lambda package: None,
    ) -> None:
        """
        Args:
            choice: the protection of each sandbox; `choosing.enter` has been called for it.
            serve: runs in a student's process with its descriptors for requests and replies.
            groups: the control groups that limit each sandbox.
            facts: the first message to each owner.
            compile_once: compiles a source in a mode and keeps it for later forks.
            warm_package: imports a package and uses it once.
        """
        self._facts, self._compile, self._warm_package = facts, compile_once, warm_package
        self._why_not_warm = ""
        self.tier, self._user, self._program = choice.tier, choice.user, choice.program
        self._serve, self._groups = serve, groups
        tier = choice.tier
        self._device = choice.device
        self._readable = ["/"] if tier is Tier.NAMESPACES else [*view.readable(), *view.ours(), *view.OUTSIDE_FILES]
        if tier is not Tier.NAMESPACES and choice.device == gpu.CUDA:
            self._readable += [*gpu.readable(), *gpu.PROC_FILES]
        self._in_use = privileges.address_space()
        self._processes = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        self._sandboxes: dict[int, Sandbox] = {}
        self._numbers = itertools.count()
        self._owners = itertools.count(1)
        self._users = _users(0)

    def start(self, limits: Limits, fds: tuple[int, int, int], files: int | None = None) -> Sandbox:
        """Fork a sandbox.

        Args:
            limits: its limits.
            fds: the descriptors that it reads requests from, writes replies to, and reports its end to.
            files: the descriptor of a file that holds what lies beside the notebook, as from `pack_files`.
        """
        number = next(self._numbers)
        if number == FORKS_BEFORE_HUGE_PAGES:
            huge_pages.collapse_memory()
        name = f"{os.getpid()}-{number}"
        plan = self._plan(limits)
        go, ready = os.pipe()
        pid = kernel_calls.fork_into(kernel_calls.ALL_NAMESPACES) if self.tier is Tier.NAMESPACES else os.fork()
        if pid == 0:
            try:
                os.close(ready)
                if os.read(go, 1):
                    if files is not None:  # at a place of its own, because others read through the same descriptor
                        plan = dataclasses.replace(plan, files=os.pread(files, os.fstat(files).st_size, 0))
                    spawn.run_guard(plan, fds, 0 if self.tier is Tier.NAMESPACES else os.getppid())
            except BaseException:
                with contextlib.suppress(OSError):
                    os.write(spawn.STATUS, json.dumps({"error": traceback.format_exc()[-3000:]}).encode())
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
            os.close(ready)
        except BaseException:
            os.close(ready)  # at which the fork ends
            self.clear(sandbox.pidfd)
            raise
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
        """Map users so that the guard is 0 and the student 1000 inside, or both 1000 if only one user is ours."""
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
        """Reap a sandbox that has ended and remove its control group and scratch folder."""
        sandbox = self._sandboxes.pop(pidfd)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(sandbox.pid, 0)
        os.close(pidfd)
        self._groups.remove(sandbox.name)
        if self.tier is not Tier.NAMESPACES:
            _remove(sandbox.scratch)

    def serve(self, owner: socket.socket) -> None:
        """Send the facts, and answer requests until the owner closes its end; then end all sandboxes."""
        with contextlib.suppress(ConnectionError):  # the owner left without a word: the next receive notices
            owner.send(self._facts)
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
        """Serve one request.

        Returns:
            The new sandbox's pidfd, 0 if none could be made, None if the owner is gone.
        """
        try:
            request, fds, _, _ = socket.recv_fds(owner, LONGEST, MOST_DESCRIPTORS)
        except ConnectionError:  # the owner left before it read the facts, because it had nothing to run
            return None
        if not request:
            return None
        if request == ANOTHER_OWNER:
            self._serve_another(owner, fds[0])
            return 0
        if request.startswith(COMPILE):
            with contextlib.suppress(SyntaxError, ValueError):  # a broken program costs its own question, not all
                self._compile(*json.loads(request.removeprefix(COMPILE)))
            return 0
        if request.startswith(WARM):
            self._warm(request.removeprefix(WARM).decode())
            return 0
        try:
            if self._why_not_warm:
                owner.send(json.dumps({"error": self._why_not_warm}).encode())
                return None  # a fork would lack what was started: the owner begins with another supervisor
            limits = Limits(**json.loads(request))
            sandbox = self.start(limits, (fds[0], fds[1], fds[2]), *fds[3:])
            socket.send_fds(owner, [json.dumps({"pid": sandbox.pid}).encode()], [sandbox.pidfd])
            return sandbox.pidfd
        except ConnectionError:
            return None
        except Exception:
            with contextlib.suppress(ConnectionError):  # the next receive notices that the owner is gone
                owner.send(json.dumps({"error": traceback.format_exc()[-3000:]}).encode())
            return 0
        finally:
            for fd in fds:
                os.close(fd)

    def _warm(self, package: str) -> None:
        try:
            self._warm_package(package)
        except RuntimeError:
            self._why_not_warm = traceback.format_exc()[-3000:]
        self._in_use = privileges.address_space()

    def _serve_another(self, owner: socket.socket, other: int) -> None:
        """Fork a supervisor for the owner at the other end of a socket."""
        number = next(self._owners)
        if os.fork():
            os.close(other)
            return
        status = 1
        try:
            owner.close()
            for pidfd in self._sandboxes:  # the parent's, who ends them
                os.close(pidfd)
            self._sandboxes.clear()
            self._users = _users(number)
            self.serve(socket.socket(fileno=other))
            status = 0
        finally:
            os._exit(status)

    def end_all(self) -> None:
        """Kill all running sandboxes and clean up after them."""
        for pidfd in list(self._sandboxes):
            number = signal.SIGKILL if self.tier is Tier.NAMESPACES else signal.SIGTERM
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(pidfd, number)
        for pidfd in list(self._sandboxes):
            if not select.select([pidfd], [], [], OWNER_SECONDS)[0]:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            self.clear(pidfd)


def _users(owner: int) -> Iterator[int]:
    """Yield the user ids of an owner's sandboxes in turn, counted from the first of all."""
    first = owner * USERS_OF_OWNER % USERS
    return itertools.cycle(range(first, first + USERS_OF_OWNER))


def _remove(scratch: str) -> None:
    """Remove a folder that hostile code has filled, however deep it is, without following links."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(scratch, ignore_errors=True)
    if Path(scratch).exists():  # deeper than Python's recursion limit, or without permissions
        subprocess.run(["chmod", "-R", "u+rwX", scratch], check=False, stderr=subprocess.DEVNULL)
        subprocess.run(["rm", "-rf", scratch], check=False, stderr=subprocess.DEVNULL)
