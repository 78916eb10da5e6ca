"""Limits on the sum of what a sandbox uses, and an equal share of the processors for each.

Both where the kernel lets us make control groups (version 1 or 2).
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from collections.abc import Callable
from pathlib import Path

from autograder.supervisor.limits import Limits

ROOT = Path("/sys/fs/cgroup")
_PREFIX = "autograder-"
ABANDONED_SECONDS = 60
"""A group that is still empty after this time belongs to nobody: a process is put into it as soon as it is made."""


Files = dict[str, Callable[[Limits], int]]
"""The files of a group with what is written into each; the first is there wherever its controller is."""

VERSION_2: Files = {
    "memory.max": lambda limits: limits.memory,
    "pids.max": lambda limits: limits.processes + 1,  # ours is one of them
    "memory.swap.max": lambda limits: 0,
    "cpu.weight": lambda limits: 100,
}
VERSION_1: dict[str, Files] = {
    "memory": {
        "memory.limit_in_bytes": lambda limits: limits.memory,
        "memory.memsw.limit_in_bytes": lambda limits: limits.memory,
    },
    "pids": {"pids.max": lambda limits: limits.processes + 1},
    "cpu": {"cpu.shares": lambda limits: 1024},  # of a group, however many processes are in it
}
COUNT_MEMORY = {"memory.max", "memory.limit_in_bytes"}
WEIGH = {"cpu.weight", "cpu.shares"}


@dataclasses.dataclass(frozen=True)
class _Controller:
    """A folder in which groups can be made, kept open: the supervisor's own root shows none of it."""

    folder: int
    files: Files


class ControlGroups:
    """Where groups can be made; perhaps nowhere."""

    def __init__(self) -> None:
        self._controllers = _version_2() or _version_1()

    @property
    def counts_memory(self) -> bool:
        """Whether memory is limited in sum."""
        return any(COUNT_MEMORY & set(controller.files) for controller in self._controllers)

    @property
    def weighs(self) -> bool:
        """Whether each sandbox has the same share of the processors, however many processes are in it."""
        return any(WEIGH & set(controller.files) for controller in self._controllers)

    def make(self, name: str, pid: int, limits: Limits) -> None:
        """A group for a sandbox's first process; what it starts belongs to it too."""
        for controller in self._controllers:
            group = _PREFIX + name
            with contextlib.suppress(FileExistsError):
                os.mkdir(group, dir_fd=controller.folder)
            for file, value in controller.files.items():
                with contextlib.suppress(FileNotFoundError):
                    _write(controller.folder, f"{group}/{file}", value(limits))
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
        there = (folder / "cgroup.controllers").read_text().split()
        if "memory" not in there:
            return []
        (folder / "cgroup.subtree_control").write_text("+memory +pids")
        files = VERSION_2
        try:
            (folder / "cgroup.subtree_control").write_text("+cpu")
        except OSError:  # not delegated: then every process has a weight of its own
            files = {name: value for name, value in VERSION_2.items() if name not in WEIGH}
        return _tried(_Controller(os.open(folder, os.O_RDONLY), files))
    return []


def _version_1() -> list[_Controller]:
    found = []
    for name, files in VERSION_1.items():
        with contextlib.suppress(OSError):
            fd = os.open(ROOT / name / (_own_group(name) or "").strip("/"), os.O_RDONLY)
            found += _tried(_Controller(fd, files))
    return found


def _tried(controller: _Controller) -> list[_Controller]:
    """The controller, if a group can really be made there."""
    trial = f"{_PREFIX}trial-{os.getpid()}"
    try:
        os.mkdir(trial, dir_fd=controller.folder)
        os.close(os.open(f"{trial}/{next(iter(controller.files))}", os.O_WRONLY, dir_fd=controller.folder))
        os.rmdir(trial, dir_fd=controller.folder)
    except OSError:
        os.close(controller.folder)
        return []
    return [controller]
