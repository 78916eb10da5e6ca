"""Limits on the sum of what a sandbox uses, where the kernel lets us make control groups (version 1 or 2)."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from pathlib import Path

from autograder.supervisor.limits import Limits

ROOT = Path("/sys/fs/cgroup")
_PREFIX = "autograder-"
ABANDONED_SECONDS = 60
"""A group that is still empty after this time belongs to nobody: a process is put into it as soon as it is made."""


@dataclasses.dataclass(frozen=True)
class _Controller:
    """A folder in which groups can be made, kept open: the supervisor's own root shows none of it."""

    folder: int
    memory: str | None
    pids: str | None
    swap: str | None = None


class ControlGroups:
    """Where groups can be made; perhaps nowhere."""

    def __init__(self) -> None:
        self._controllers = _version_2() or _version_1()

    @property
    def counts_memory(self) -> bool:
        """Whether memory is limited in sum."""
        return any(controller.memory for controller in self._controllers)

    def make(self, name: str, pid: int, limits: Limits) -> None:
        """A group for a sandbox's first process; what it starts belongs to it too."""
        for controller in self._controllers:
            group = _PREFIX + name
            with contextlib.suppress(FileExistsError):
                os.mkdir(group, dir_fd=controller.folder)
            for file, value in (
                (controller.memory, limits.memory),
                (controller.pids, limits.processes + 1),  # ours is one of them
                (controller.swap, 0 if controller.swap == "memory.swap.max" else limits.memory),
            ):
                if file:
                    with contextlib.suppress(FileNotFoundError):
                        _write(controller.folder, f"{group}/{file}", value)
            _write(controller.folder, f"{group}/cgroup.procs", pid)

    def remove(self, name: str) -> None:
        """After the sandbox's last process has ended."""
        for controller in self._controllers:
            for _ in range(50):
                try:
                    os.rmdir(_PREFIX + name, dir_fd=controller.folder)
                except FileNotFoundError:
                    break
                except OSError:  # the kernel has not quite done with the last process
                    time.sleep(0.002)
                else:
                    break

    def remove_abandoned(self) -> None:
        """Groups of supervisors that were killed before they could remove them."""
        for controller in self._controllers:
            with os.scandir(controller.folder) as entries:
                groups = [entry for entry in entries if entry.name.startswith(_PREFIX)]
            for group in groups:
                with contextlib.suppress(OSError):  # in use, or another supervisor was faster
                    if time.time() - group.stat().st_mtime > ABANDONED_SECONDS:
                        os.rmdir(group.name, dir_fd=controller.folder)

    def close(self) -> None:
        """Give the folders back."""
        for controller in self._controllers:
            os.close(controller.folder)


def _write(folder: int, file: str, value: int) -> None:
    fd = os.open(file, os.O_WRONLY, dir_fd=folder)
    try:
        os.write(fd, str(value).encode())
    finally:
        os.close(fd)


def _own_group(controller: str) -> str | None:
    """The path of this process's group; the empty name is version 2."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(","):
            return path
    return None


def _version_2() -> list[_Controller]:
    with contextlib.suppress(OSError):
        folder = ROOT / (_own_group("") or "").strip("/")
        if "memory" not in (folder / "cgroup.controllers").read_text().split():
            return []
        (folder / "cgroup.subtree_control").write_text("+memory +pids")
        return _tried(_Controller(os.open(folder, os.O_RDONLY), "memory.max", "pids.max", "memory.swap.max"))
    return []


def _version_1() -> list[_Controller]:
    found = []
    for name in ("memory", "pids"):
        with contextlib.suppress(OSError):
            fd = os.open(ROOT / name / (_own_group(name) or "").strip("/"), os.O_RDONLY)
            if name == "memory":
                found += _tried(_Controller(fd, "memory.limit_in_bytes", None, "memory.memsw.limit_in_bytes"))
            else:
                found += _tried(_Controller(fd, None, "pids.max"))
    return found


def _tried(controller: _Controller) -> list[_Controller]:
    """The controller, if a group can really be made there."""
    trial = f"{_PREFIX}trial-{os.getpid()}"
    try:
        os.mkdir(trial, dir_fd=controller.folder)
        os.close(os.open(f"{trial}/{controller.memory or controller.pids}", os.O_WRONLY, dir_fd=controller.folder))
        os.rmdir(trial, dir_fd=controller.folder)
    except OSError:
        os.close(controller.folder)
        return []
    return [controller]
