"""Give up privileges before student code runs: user, capabilities, resources."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from pathlib import Path

from autograder.sandbox.limits import MIB, Limits
from autograder.supervisor import gpu
from autograder.supervisor.kernel_calls import (
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
FIRST_SANDBOX_USER = 61184
"""The first user id of sandboxes if the supervisor runs as root, in a range that systemd keeps free."""
LOCKED_SECUREBITS = 0b101111
"""Being or becoming user 0 gives no capability, and this setting is locked."""


def become(user: int) -> None:
    """Change this process's user and group for good and drop all other groups.

    Raises:
        OSError: if the kernel refuses.
    """
    with contextlib.suppress(PermissionError):  # in a user namespace of an ordinary user, which has no other groups
        os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def bar_capabilities() -> None:
    """Prevent later programs and changes of user from regaining capabilities."""
    # A process that may not change the securebits has no capability to lose.
    with contextlib.suppress(OSError):
        prctl(PR_SET_SECUREBITS, LOCKED_SECUREBITS)
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break
    with contextlib.suppress(OSError):
        prctl(PR_CAP_AMBIENT, 4)  # PR_CAP_AMBIENT_CLEAR_ALL


def drop_capabilities(keep: int | None = None) -> None:
    """Give up all capabilities for good.

    Args:
        keep: the number of one to keep.
    """
    bar_capabilities()
    capset(0 if keep is None else 1 << keep)
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends. A later change of user undoes it.

    Args:
        parent: the parent's process id as this process sees it; 0 in a new PID namespace.
    """
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def hide_memory() -> None:
    """Prevent other processes of the same user from tracing this one or reading its memory."""
    prctl(PR_SET_DUMPABLE, 0)


def address_space() -> int:
    """Return the bytes of address space that this process uses."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def limit_resources(limits: Limits, in_use: int, device: str = "cpu") -> None:
    """Set the resource limits that the kernel enforces for each process.

    Args:
        limits: the submission's limits.
        in_use: bytes of address space that the process uses before any student code.
        device: the type of device that it computes on. CUDA reserves more address space than any machine has
            memory, so with it only writable private memory is limited.
    """
    _limit(resource.RLIMIT_DATA if device == gpu.CUDA else resource.RLIMIT_AS, in_use + limits.memory)
    _limit(resource.RLIMIT_CPU, round(limits.cpu), round(limits.cpu) + 5)
    _limit(resource.RLIMIT_NPROC, limits.processes)
    _limit(resource.RLIMIT_FSIZE, limits.file)
    _limit(resource.RLIMIT_NOFILE, limits.files)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_STACK, 8 * MIB, 64 * MIB)
    # Pending signals and POSIX timers are charged to the user outside, whom all sandboxes share.
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
