"""What a process gives up before it meets student code: identity, capabilities, resources."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from pathlib import Path

from autograder.supervisor import gpu
from autograder.supervisor.limits import MIB, Limits
from autograder.supervisor.syscalls import (
    PR_CAP_AMBIENT,
    PR_CAPBSET_DROP,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    PR_SET_SECUREBITS,
    capset,
    prctl,
)

CAP_KILL = 5
NOBODY_ELSE = 61184
"""The first of the user ids that sandboxes get where the supervisor runs as root; systemd keeps this range free."""
LOCKED_SECUREBITS = 0b101111
"""Being user 0, or changing to it, gives no capability, and nothing can change that."""


def become(user: int) -> None:
    """Change to another user and group for good, with no other group.

    Raises:
        OSError: where the kernel does not let us.
    """
    with contextlib.suppress(PermissionError):  # a user namespace of an ordinary user has no further groups
        os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def bar_capabilities() -> None:
    """See to it that no later program and no change of user can bring a capability."""
    # Without the right to change these, there is no capability that could matter.
    with contextlib.suppress(OSError):
        prctl(PR_SET_SECUREBITS, LOCKED_SECUREBITS)
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break
    with contextlib.suppress(OSError):
        prctl(PR_CAP_AMBIENT, 4)  # PR_CAP_AMBIENT_CLEAR_ALL


def drop_capabilities(but: int | None = None) -> None:
    """Give up all capabilities, for good.

    Args:
        but: the one to keep.
    """
    bar_capabilities()
    capset(0 if but is None else 1 << but)
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent(parent: int) -> None:
    """Be killed when the parent process ends. A later change of user would undo it.

    Args:
        parent: the id of the parent as seen from here; 0 from a new namespace of processes.
    """
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def hide_memory() -> None:
    """Nobody of the same user may trace this process or read its memory."""
    prctl(PR_SET_DUMPABLE, 0)


def address_space() -> int:
    """Bytes of address space that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def limit_resources(limits: Limits, in_use: int, device: str = "cpu") -> None:
    """Have the kernel enforce what it can count for a process.

    Args:
        limits: what it may use.
        in_use: address space that it has before any student code.
        device: the type of device that it computes on. CUDA reserves more addresses than any machine has memory,
            so there only what a process can write into counts.
    """
    _limit(resource.RLIMIT_DATA if device == gpu.CUDA else resource.RLIMIT_AS, in_use + limits.memory)
    _limit(resource.RLIMIT_CPU, round(limits.cpu), round(limits.cpu) + 5)
    _limit(resource.RLIMIT_NPROC, limits.processes)
    _limit(resource.RLIMIT_FSIZE, limits.file)
    _limit(resource.RLIMIT_NOFILE, limits.files)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_STACK, 8 * MIB, 64 * MIB)
    # Signals that wait, and POSIX timers: counted for the user outside whom all sandboxes are.
    _limit(resource.RLIMIT_SIGPENDING, limits.processes)
    for name in ("RLIMIT_MSGQUEUE", "RLIMIT_MEMLOCK", "RLIMIT_NICE", "RLIMIT_RTPRIO"):
        if hasattr(resource, name):
            _limit(getattr(resource, name), 0)


def _limit(which: int, soft: int, hard: int | None = None) -> None:
    hard = soft if hard is None else hard
    _, ceiling = resource.getrlimit(which)
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(which, (soft, hard))
