"""Limits on all processes of a sandbox together, and an equal share of the processors for each sandbox.

Both need control groups (version 1 or 2) that the kernel lets this user make.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from collections.abc import Callable
from pathlib import Path

from autograder.sandbox.limits import Limits

ROOT = Path("/sys/fs/cgroup")
_PREFIX = "autograder-"
ABANDONED_SECONDS = 60
"""A group that is empty for longer is abandoned, because a new group gets its process at once."""


Files = dict[str, Callable[[Limits], int]]
"""A group's files and the value for each; the first exists wherever the controller does."""

VERSION_2: Files = {
    "memory.max": lambda limits: limits.memory,
    "pids.max": lambda limits: limits.processes + 1,  # one is the guard
    "memory.swap.max": lambda limits: 0,
    "cpu.weight": lambda limits: 100,
}
VERSION_1: dict[str, Files] = {
    "memory": {
        "memory.limit_in_bytes": lambda limits: limits.memory,
        "memory.memsw.limit_in_bytes": lambda limits: limits.memory,
    },
    "pids": {"pids.max": lambda limits: limits.processes + 1},
    "cpu": {"cpu.shares": lambda limits: 1024},  # for the whole group, however many processes it has
}
MEMORY_FILES = {"memory.max", "memory.limit_in_bytes"}
CPU_WEIGHT_FILES = {"cpu.weight", "cpu.shares"}


@dataclasses.dataclass(frozen=True)
class _Controller:
    """A folder in which groups can be made, kept open because the supervisor's later root does not contain it."""

    folder: int
    files: Files


class ControlGroups:
    """The control groups of a supervisor's sandboxes; without controllers, every method does nothing."""

    def __init__(self) -> None:
        self._controllers = _version_2() or _version_1()

    @property
    def caps_total_memory(self) -> bool:
        """Whether a sandbox's processes share one limit on memory."""
        return any(MEMORY_FILES & set(controller.files) for controller in self._controllers)

    @property
    def weights_cpu(self) -> bool:
        """Whether each sandbox gets an equal share of the processors, however many processes it has."""
        return any(CPU_WEIGHT_FILES & set(controller.files) for controller in self._controllers)

    def make(self, name: str, pid: int, limits: Limits) -> None:
        """Put a sandbox's first process, and so all that it starts, into a new group with these limits."""
        for controller in self._controllers:
            group = _PREFIX + name
            with contextlib.suppress(FileExistsError):
                os.mkdir(group, dir_fd=controller.folder)
            for file, value in controller.files.items():
                with contextlib.suppress(FileNotFoundError):
                    _write(controller.folder, f"{group}/{file}", value(limits))
            _write(controller.folder, f"{group}/cgroup.procs", pid)

    def remove(self, name: str) -> None:
        """Remove a sandbox's group after its last process has ended."""
        for controller in self._controllers:
            for _ in range(50):
                try:
                    os.rmdir(_PREFIX + name, dir_fd=controller.folder)
                except FileNotFoundError:
                    break
                except OSError:  # the kernel is still removing the last process
                    time.sleep(0.002)
                else:
                    break

    def remove_abandoned(self) -> None:
        """Remove groups left by supervisors that were killed."""
        for controller in self._controllers:
            with os.scandir(controller.folder) as entries:
                groups = [entry for entry in entries if entry.name.startswith(_PREFIX)]
            for group in groups:
                with contextlib.suppress(OSError):  # in use, or another supervisor was faster
                    if time.time() - group.stat().st_mtime > ABANDONED_SECONDS:
                        os.rmdir(group.name, dir_fd=controller.folder)

    def close(self) -> None:
        """Close the controllers' folders."""
        for controller in self._controllers:
            os.close(controller.folder)


def _write(folder: int, file: str, value: int) -> None:
    fd = os.open(file, os.O_WRONLY, dir_fd=folder)
    try:
        os.write(fd, str(value).encode())
    finally:
        os.close(fd)


def _own_group(controller: str) -> str | None:
    """Return the path of this process's group for a controller; the empty name means version 2."""
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
        except OSError:  # not delegated, so every process keeps its own weight
            files = {name: value for name, value in VERSION_2.items() if name not in CPU_WEIGHT_FILES}
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
    """Return the controller in a list, or an empty list if no group can be made there."""
    trial = f"{_PREFIX}trial-{os.getpid()}"
    try:
        os.mkdir(trial, dir_fd=controller.folder)
        os.close(os.open(f"{trial}/{next(iter(controller.files))}", os.O_WRONLY, dir_fd=controller.folder))
        os.rmdir(trial, dir_fd=controller.folder)
    except OSError:
        os.close(controller.folder)
        return []
    return [controller]
