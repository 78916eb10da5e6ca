"""Turn a fork of the supervisor into a guard and a confined process that serves one notebook."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import stat
import sys
import tempfile
from collections.abc import Callable
from typing import NoReturn

from autograder.sandbox.limits import Limits
from autograder.supervisor import gpu, guard, kernel_calls, landlock, privileges, seccomp, view
from autograder.supervisor.tiers import Tier
from autograder.wire.files import lay_out
from autograder.wire.frames import Channel

REQUESTS, REPLIES, STATUS = 3, 4, 5
"""A sandbox's descriptors: for requests, for replies, and for the guard's report on how it ended."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """The supervisor's decisions about one sandbox.

    Attributes:
        tier: its tier.
        limits: its resource limits.
        scratch: its folder, which is HOME, TMPDIR and the working directory.
        user: the user id that the student's process takes, as seen from inside; None: it keeps its own.
        readable: the paths that Landlock lets it read.
        in_use: bytes of address space of a warmed process.
        program: the compiled seccomp filter; empty in the lowest tier.
        serve: runs in the student's process once it is confined, with the descriptors for requests and replies.
        device: the type of device that it computes on.
        files: what lies beside the notebook, as from `pack_files`.
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
    files: bytes = b""


def run_guard(plan: Plan, fds: tuple[int, int, int], supervisor: int) -> NoReturn:
    """Become the guard of a new sandbox and fork the student's process.

    Args:
        plan: the decisions about the sandbox.
        fds: the descriptors for requests, replies and status.
        supervisor: the supervisor's process id as this process sees it; 0 in a new PID namespace.
    """
    signal.set_wakeup_fd(-1)
    _keep_only(fds)
    # From here on this process dies with the supervisor; it has read no request yet.
    privileges.die_with_parent(supervisor)
    if plan.tier is Tier.NAMESPACES:
        kernel_calls.sethostname("sandbox")
        view.mount_private(plan.limits.scratch, plan.device, plan.files)
    else:
        kernel_calls.prctl(kernel_calls.PR_SET_CHILD_SUBREAPER, 1)
        _lay_out_files(plan)
    os.chdir(plan.scratch)
    guard.guard(
        lambda: _student(plan),
        STATUS,
        own_namespace=plan.tier is Tier.NAMESPACES,
        prepare=lambda: _drop_guard_privileges(plan, supervisor),
    )


def _lay_out_files(plan: Plan) -> None:
    """Put the files into the scratch folder; where the student's process has a user of its own, it can only read them.

    The folder then belongs to its group and is sticky: there it may make files, and remove only those.
    """
    if plan.files and lay_out(plan.files, plan.scratch) and plan.user is not None:
        os.chown(plan.scratch, os.getuid(), plan.user)
        os.chmod(plan.scratch, stat.S_ISVTX | stat.S_IRWXU | stat.S_IRWXG)


def _keep_only(fds: tuple[int, int, int]) -> None:
    """Move the three pipes to fixed descriptors, point the standard streams to /dev/null and close all others."""
    free = [os.dup(fd) for fd in fds]
    spare = max(*free, STATUS) + 1
    high = [os.dup2(fd, spare + n) for n, fd in enumerate(free)]
    for fd, number in zip(high, (REQUESTS, REPLIES, STATUS), strict=True):
        os.dup2(fd, number)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.closerange(STATUS + 1, 1 << 20)


def _drop_guard_privileges(plan: Plan, supervisor: int) -> None:
    os.close(REQUESTS)
    os.close(REPLIES)
    privileges.hide_memory()
    privileges.drop_capabilities(keep=privileges.CAP_KILL if plan.user is not None else None)
    privileges.die_with_parent(supervisor)


def _student(plan: Plan) -> None:
    """Confine the student's process, then serve."""
    try:
        _confine(plan)
    except BaseException as error:  # ours, because no student code has been read yet
        Channel(REQUESTS, REPLIES).send({"failed": f"{type(error).__name__}: {error}"})
        os._exit(1)
    plan.serve(REQUESTS, REPLIES)
    os._exit(0)


def _confine(plan: Plan) -> None:
    guardian = os.getppid()
    os.close(STATUS)
    os.setsid()
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # if memory runs out, kill this process first
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    _set_environment(plan.scratch)
    privileges.limit_resources(plan.limits, plan.in_use, plan.device)
    privileges.bar_capabilities()
    if plan.user is not None:
        privileges.become(plan.user)
    privileges.drop_capabilities()
    privileges.die_with_parent(guardian)
    if plan.tier is not Tier.PROCESS:
        own = f"/proc/{os.getpid()}"
        cuda = plan.device == gpu.CUDA
        written = ["/dev/null", "/dev/zero", *([gpu.thread_names()] if cuda else [])]
        landlock.restrict([*plan.readable, own], [plan.scratch], written, gpu.devices() if cuda else [])
        seccomp.load(plan.program)


def _set_environment(scratch: str) -> None:
    os.environ.update(HOME=scratch, TMPDIR=scratch, IPYTHONDIR=scratch, MPLCONFIGDIR=scratch, PWD=scratch)
    os.environ.update(JUPYTER_RUNTIME_DIR=scratch, USER="student", LOGNAME="student", AUTOGRADER_SANDBOX="1")
    if libraries := os.environ.get("LD_LIBRARY_PATH"):  # without the folders that the sandbox cannot see
        os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(filter(os.path.isdir, libraries.split(os.pathsep)))
    tempfile.tempdir = None
    sys.argv[:] = [""]
