"""From a fork of the supervisor to a confined process that serves one notebook."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from typing import NoReturn

from autograder.supervisor import gpu, guard, landlock, privileges, syscalls, system_calls, view
from autograder.supervisor.limits import Limits
from autograder.supervisor.tiers import Tier
from autograder.wire.frames import Channel

REQUESTS, REPLIES, STATUS = 3, 4, 5
"""The descriptors of a sandbox: requests come in, replies go out, the guard tells how it ended."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What the supervisor has decided about a sandbox.

    Attributes:
        tier: what surrounds it.
        limits: what it may use.
        scratch: its folder, which is HOME, TMPDIR and the working folder.
        user: the user id that the student's process takes, as seen from inside; None: as it is.
        readable: the paths that Landlock lets it read.
        in_use: bytes of address space of a warmed process.
        program: the compiled list of system calls; empty in the lowest tier.
        serve: what the student's process does once it is confined; gets the two descriptors.
        device: the type of device that it computes on.
    """

    tier: Tier
    limits: Limits
    scratch: str
    user: int | None
    readable: list[str]
    in_use: int
    program: bytes
    serve: Callable[[int, int], None]
    device: str = "cpu"


def grow_up(plan: Plan, fds: tuple[int, int, int], supervisor: int) -> NoReturn:
    """Become the guard of a new sandbox and fork the student's process.

    Args:
        plan: how.
        fds: requests, replies, status.
        supervisor: the supervisor's process id as seen from here; 0 from a new namespace.
    """
    signal.set_wakeup_fd(-1)
    _keep_only(fds)
    # The supervisor's death is noticed from here on; nothing has been read yet.
    privileges.die_with_parent(supervisor)
    if plan.tier is Tier.NAMESPACES:
        syscalls.sethostname("sandbox")
        view.furnish(plan.limits.scratch, plan.device)
    else:
        syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)
    os.chdir(plan.scratch)
    guard.guard(
        lambda: _student(plan),
        STATUS,
        own_namespace=plan.tier is Tier.NAMESPACES,
        prepare=lambda: _lighten(plan, supervisor),
    )


def _keep_only(fds: tuple[int, int, int]) -> None:
    """The three pipes under fixed numbers, /dev/null as standard streams, and nothing else open."""
    free = [os.dup(fd) for fd in fds]
    spare = max(*free, STATUS) + 1
    high = [os.dup2(fd, spare + n) for n, fd in enumerate(free)]
    for fd, number in zip(high, (REQUESTS, REPLIES, STATUS), strict=True):
        os.dup2(fd, number)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.closerange(STATUS + 1, 1 << 20)


def _lighten(plan: Plan, supervisor: int) -> None:
    os.close(REQUESTS)
    os.close(REPLIES)
    privileges.hide_memory()
    privileges.drop_capabilities(but=privileges.CAP_KILL if plan.user is not None else None)
    privileges.die_with_parent(supervisor)


def _student(plan: Plan) -> None:
    """The student's process: confine itself step by step, then serve."""
    try:
        _confine(plan)
    except BaseException as error:  # nothing of a student's has been read yet
        Channel(REQUESTS, REPLIES).send({"failed": f"{type(error).__name__}: {error}"})
        os._exit(1)
    plan.serve(REQUESTS, REPLIES)
    os._exit(0)


def _confine(plan: Plan) -> None:
    guardian = os.getppid()
    os.close(STATUS)
    os.setsid()
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # where memory runs out, this goes first
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    _furnish_environment(plan.scratch)
    privileges.limit_resources(plan.limits, plan.in_use, plan.device)
    privileges.bar_capabilities()
    if plan.user is not None:
        privileges.become(plan.user)
    privileges.drop_capabilities()
    privileges.die_with_parent(guardian)
    if plan.tier is not Tier.PROCESS:
        own = f"/proc/{os.getpid()}"
        driver = gpu.devices() if plan.device == gpu.CUDA else []
        landlock.restrict([*plan.readable, own], [plan.scratch], ["/dev/null", "/dev/zero"], driver)
        system_calls.load(plan.program)


def _furnish_environment(scratch: str) -> None:
    os.environ.update(HOME=scratch, TMPDIR=scratch, IPYTHONDIR=scratch, MPLCONFIGDIR=scratch, PWD=scratch)
    os.environ.update(JUPYTER_RUNTIME_DIR=scratch, USER="student", LOGNAME="student", AUTOGRADER_SANDBOX="1")
    if libraries := os.environ.get("LD_LIBRARY_PATH"):  # what the sandbox does not see is of no use to it
        os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(filter(os.path.isdir, libraries.split(os.pathsep)))
    tempfile.tempdir = None
    sys.argv[:] = [""]
